package dev.holdfast.server.config.values;

import dev.holdfast.guard.actuator.Actuators;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Actuators by name: {@code {pg: {type: command, stop: pg_ctl stop, …}}}. Nested settings are joined with dots, and a list is a
 * list of words. Only names and types are shown.
 */
public final class ActuatorsKind implements ValueKind<Map<String, Map<String, String>>> {
    private static final int MOST = 1_000;
    private static final String PREFIX = "guard.actuators";

    @Override
    public Map<String, Map<String, String>> read(Value value) throws ValueRefusal {
        Value tree = YamlText.unfolded(value);
        if (tree instanceof Value.Nothing) {
            return Map.of();
        }
        if (!(tree instanceof Value.Fields all) || all.fields().size() > MOST) {
            throw ValueRefusal.mustBe(allowed() + ", at most " + MOST);
        }
        RefusalDetails details = new RefusalDetails();
        Map<String, Map<String, String>> actuators = new LinkedHashMap<>();
        all.fields().forEach((name, settings) -> actuators.put(name, settings(settings, "." + name, details)));
        details.refuse();
        check(actuators, details);
        details.refuse();
        return Map.copyOf(actuators);
    }

    private static Map<String, String> settings(Value value, String path, RefusalDetails details) {
        Map<String, String> settings = new LinkedHashMap<>();
        if (value instanceof Value.Fields fields) {
            fields.fields().forEach((name, one) -> flatten(name, one, settings));
        } else {
            details.add(path, "must be a map with `type` and the settings of that type");
        }
        return settings;
    }

    private static void flatten(String name, Value value, Map<String, String> settings) {
        if (value instanceof Value.Fields fields) {
            fields.fields().forEach((below, one) -> flatten(name + "." + below, one, settings));
        } else if (value instanceof Value.Items items) {
            // As in JSON, which is what an actuator takes for a list of words.
            settings.put(
                    name,
                    items.items().stream()
                            .map(word -> Value.quoted(word.written()))
                            .collect(Collectors.joining(",", "[", "]")));
        } else {
            settings.put(name, value.written());
        }
    }

    /** Whoever makes the actuators knows best what each needs. */
    private static void check(Map<String, Map<String, String>> actuators, RefusalDetails details) {
        try {
            Actuators.of(actuators, Map.of());
        } catch (IllegalArgumentException e) {
            String.valueOf(e.getMessage()).lines().forEach(line -> {
                String told = line.startsWith(PREFIX) ? line.substring(PREFIX.length()) : " " + line;
                int end = told.indexOf(' ');
                details.add(told.substring(0, Math.max(0, end)), told.substring(end + 1));
            });
        }
    }

    @Override
    public String allowed() {
        return "a map of names to maps with `type` and the settings of that type";
    }

    @Override
    public String shown(Value value, Map<String, Map<String, String>> read) {
        return read.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(entry -> entry.getKey() + ": {type: " + entry.getValue().getOrDefault("type", "") + ", …}")
                .collect(Collectors.joining(", ", "{", "}"));
    }

    @Override
    public boolean mayBeRepeated(Value value) {
        return false;
    }
}
