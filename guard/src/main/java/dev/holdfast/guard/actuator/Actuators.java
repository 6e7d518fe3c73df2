package dev.holdfast.guard.actuator;

import dev.holdfast.guard.Actuator;
import dev.holdfast.guard.actuator.aws.Ec2Actuator;
import dev.holdfast.guard.actuator.aws.RdsActuator;
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

    private static final List<String> TYPES = List.of("command", "http", "ec2", "rds", "kubernetes", "log");

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
        byName.put(LOG, new LogActuator(LOG));
        new TreeMap<>(configured).forEach((name, given) -> {
            ActuatorSettings settings = new ActuatorSettings(name, given, problems);
            if (!name.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,63}")) {
                problems.add("guard.actuators: '" + name + "' is not a name of letters, digits, '.', '_' and '-'");
            }
            AllowList list = AllowList.of(settings);
            make(name, settings, environment).ifPresent(made -> {
                settings.nothingElse();
                byName.put(name, list.isOpen() ? made : new LimitedActuator(made, list));
            });
        });
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("\n", problems));
        }
        return new Actuators(byName);
    }

    private static Optional<Actuator> make(String name, ActuatorSettings settings, Map<String, String> environment) {
        String type = settings.required("type", "one of " + String.join(", ", TYPES));
        if (name.equals(LOG) && !type.equals("log")) {
            settings.problem("type", "must be log: that name is taken by the actuator that only records");
        }
        return switch (type) {
            case "command" -> Optional.of(new CommandActuator(name, settings, environment));
            case "http" -> Optional.of(new HttpActuator(name, settings));
            case "ec2" -> Optional.of(new Ec2Actuator(name, settings));
            case "rds" -> Optional.of(new RdsActuator(name, settings));
            case "kubernetes" -> Optional.of(new KubernetesActuator(name, settings));
            case "log" -> Optional.of(new LogActuator(name));
            case "" -> Optional.empty();
            default -> {
                settings.problem(
                        "type", "is '" + type + "', which is not known; known are " + String.join(", ", TYPES));
                yield Optional.empty();
            }
        };
    }

    /** The actuator of this name, if one was configured. */
    public Optional<Actuator> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /** All of them, by name. */
    public List<Actuator> all() {
        return List.copyOf(byName.values());
    }

    /** All names. */
    public Set<String> names() {
        return Set.copyOf(byName.keySet());
    }
}
