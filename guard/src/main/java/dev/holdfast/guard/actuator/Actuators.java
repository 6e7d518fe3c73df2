package dev.holdfast.guard.actuator;

import dev.holdfast.internal.loading.Services;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The actuators that were configured, by name. {@code log} is always among them. Immutable. */
public final class Actuators {
    /** The name of the one that is there without being configured, and touches nothing. */
    public static final String LOG = "log";

    /** Types whose module need not be there. */
    private static final Map<String, String> ELSEWHERE =
            Map.of("ec2", "holdfast-guard-aws", "rds", "holdfast-guard-aws");

    private final Map<String, Actuator> byName;

    private Actuators(Map<String, Actuator> byName) {
        this.byName = byName;
    }

    /**
     * From each actuator's settings by its name; {@code type} says what it is. The environment is what a program may be given
     * parts of. Throws IllegalArgumentException with all problems, a line each.
     */
    public static Actuators of(Map<String, Map<String, String>> configured, Map<String, String> environment) {
        List<String> problems = new ArrayList<>();
        Map<String, Actuator> byName = new TreeMap<>();
        Map<String, ActuatorFactory> factories = factories();
        Map<String, Map<String, String>> all = new TreeMap<>(Map.of(LOG, Map.of("type", LOG)));
        all.putAll(configured);
        all.forEach((name, given) -> {
            ActuatorSettings settings = new ActuatorSettings(name, given, problems);
            if (!name.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,63}")) {
                problems.add("guard.actuators: '" + name + "' is not a name of letters, digits, '.', '_' and '-'");
            }
            AllowList list = AllowList.of(settings);
            make(name, settings, factories, environment).ifPresent(made -> {
                settings.nothingElse();
                byName.put(name, list.isOpen() ? made : new LimitedActuator(made, list));
            });
        });
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("\n", problems));
        }
        return new Actuators(byName);
    }

    private static Map<String, ActuatorFactory> factories() {
        Map<String, ActuatorFactory> byType = new TreeMap<>();
        for (ActuatorFactory factory : Services.of(ActuatorFactory.class)) {
            factory.types().forEach(type -> byType.put(type, factory));
        }
        return byType;
    }

    private static Optional<Actuator> make(
            String name,
            ActuatorSettings settings,
            Map<String, ActuatorFactory> factories,
            Map<String, String> environment) {
        String known = String.join(", ", factories.keySet());
        String type = settings.required("type", "one of " + known);
        if (name.equals(LOG) && !type.equals(LOG)) {
            settings.problem("type", "must be log: that name is taken by the actuator that only records");
        }
        Optional<ActuatorFactory> factory = Optional.ofNullable(factories.get(type));
        if (factory.isEmpty() && !type.isEmpty()) {
            String missing = ELSEWHERE.containsKey(type)
                    ? "' and needs " + ELSEWHERE.get(type) + " on the class path; there are "
                    : "', which is not a known type; known types are ";
            settings.problem("type", "is '" + type + missing + known);
        }
        return factory.map(found -> found.make(type, name, settings, environment));
    }

    public Optional<Actuator> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    public List<Actuator> all() {
        return List.copyOf(byName.values());
    }

    public Set<String> names() {
        return Set.copyOf(byName.keySet());
    }
}
