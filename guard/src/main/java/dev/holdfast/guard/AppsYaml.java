package dev.holdfast.guard;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Apps written in YAML, to be registered together:
 *
 * <pre>
 * apps:
 *   shop:
 *     url: http://shop.internal/
 *     desired: auto
 *     health: {path: /health, up: [200-299], down: [500-599], down_after: 10m}
 *     databases:
 *       - {type: postgres, host: "db1:5432", instance_id: i-0abc1234, actuator: ec2}
 * </pre>
 */
public final class AppsYaml {
    public static final int MAX_TEXT = 4 << 20;

    private static final Set<String> APP_FIELDS = Set.of("url", "desired", "databases", "health");
    private static final Set<String> HEALTH_FIELDS = Set.of("path", "up", "down", "down_after");
    private static final Set<String> DATABASE_FIELDS = Set.of("type", "host", "instance_id", "actuator");

    private final List<String> problems = new ArrayList<>();

    private AppsYaml() {}

    /**
     * The apps in a text.
     *
     * @throws InvalidAppException naming everything that is wrong with its form
     */
    public static List<Registration> parse(String text) {
        AppsYaml reading = new AppsYaml();
        List<Registration> apps = reading.apps(text);
        if (!reading.problems.isEmpty()) {
            throw new InvalidAppException(reading.problems);
        }
        return apps;
    }

    private List<Registration> apps(String text) {
        List<Registration> apps = new ArrayList<>();
        if (text.length() > MAX_TEXT) {
            problems.add("the text has " + text.length() + " characters; at most " + MAX_TEXT + " are allowed");
            return apps;
        }
        try {
            LoadSettings settings = LoadSettings.builder()
                    .setMaxAliasesForCollections(0) // a few aliases can make a small text huge
                    .setCodePointLimit(MAX_TEXT)
                    .build();
            Object document = new Load(settings).loadFromString(text);
            Map<?, ?> top = map(document, "the document", Set.of("apps"));
            Map<?, ?> all = map(top.get("apps"), "apps", Set.of());
            all.forEach((name, entry) -> apps.add(app(String.valueOf(name), entry)));
        } catch (YamlEngineException e) {
            problems.add("it is not YAML: "
                    + Registration.shown(String.valueOf(e.getMessage()).replace('\n', ' ')));
        }
        return apps;
    }

    private Registration app(String name, Object entry) {
        String at = "apps." + Registration.shown(name);
        Map<?, ?> fields = map(entry, at, APP_FIELDS);
        List<Registration.Use> uses = new ArrayList<>();
        Object databases = fields.get("databases");
        if (databases instanceof List<?> list) {
            for (int i = 0; i < list.size(); i++) {
                uses.add(use(list.get(i), at + ".databases[" + i + "]"));
            }
        } else if (databases != null) {
            problems.add(at + ".databases must be a list");
        }
        return new Registration(
                name,
                text(fields, "url", at).orElse(""),
                uses,
                text(fields, "desired", at),
                Optional.ofNullable(fields.get("health")).map(health -> health(health, at + ".health")));
    }

    private HealthCheck.Spec health(Object entry, String at) {
        Map<?, ?> fields = map(entry, at, HEALTH_FIELDS);
        return new HealthCheck.Spec(
                text(fields, "path", at),
                codes(fields, "up", at),
                codes(fields, "down", at),
                text(fields, "down_after", at));
    }

    /** One code or range, or a list of them. */
    private List<String> codes(Map<?, ?> fields, String name, String at) {
        Object value = fields.get(name);
        if (value == null) {
            return List.of();
        }
        List<?> all = value instanceof List<?> list ? list : List.of(value);
        if (all.stream().anyMatch(entry -> entry == null || entry instanceof Map || entry instanceof List)) {
            problems.add(at + "." + name + " must be a list of codes, such as 404, and ranges, such as 500-599");
            return List.of();
        }
        return all.stream().map(Object::toString).toList();
    }

    private Registration.Use use(Object entry, String at) {
        Map<?, ?> fields = map(entry, at, DATABASE_FIELDS);
        return new Registration.Use(
                text(fields, "type", at).orElse(""),
                text(fields, "host", at),
                text(fields, "instance_id", at),
                text(fields, "actuator", at));
    }

    private Optional<String> text(Map<?, ?> fields, String name, String at) {
        Object value = fields.get(name);
        if (value instanceof Map || value instanceof List) {
            problems.add(at + "." + name + " must be a text");
            return Optional.empty();
        }
        return Optional.ofNullable(value).map(Object::toString);
    }

    /** A map with no other fields than these; with none named, any. */
    private Map<?, ?> map(@Nullable Object value, String at, Set<String> known) {
        if (!(value instanceof Map<?, ?> map)) {
            problems.add(at + " must be a map" + (known.isEmpty() ? "" : " with " + sorted(known)));
            return Map.of();
        }
        for (Object name : map.keySet()) {
            if (!known.isEmpty() && !known.contains(String.valueOf(name))) {
                problems.add(at + " has the unknown field '" + Registration.shown(String.valueOf(name))
                        + "'; known fields are " + sorted(known));
            }
        }
        return map;
    }

    private static String sorted(Set<String> names) {
        return String.join(", ", names.stream().sorted().toList());
    }
}
