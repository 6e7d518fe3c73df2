package dev.holdfast.guard.actuator.builtin;

import dev.holdfast.guard.actuator.Actuator;
import dev.holdfast.guard.actuator.ActuatorFactory;
import dev.holdfast.guard.actuator.ActuatorSettings;
import dev.holdfast.guard.actuator.Actuators;
import java.util.Map;
import java.util.Set;

/** The actuators that need nothing but what Java has. */
public final class BuiltInActuators implements ActuatorFactory {
    @Override
    public Set<String> types() {
        return Set.of("command", "http", "kubernetes", Actuators.LOG);
    }

    @Override
    public Actuator make(String type, String name, ActuatorSettings settings, Map<String, String> environment) {
        return switch (type) {
            case "command" -> new CommandActuator(name, settings, environment);
            case "http" -> new HttpActuator(name, settings);
            case "kubernetes" -> new KubernetesActuator(name, settings);
            default -> new LogActuator(name);
        };
    }
}
