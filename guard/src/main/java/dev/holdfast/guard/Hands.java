package dev.holdfast.guard;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Calls the actuator of a resource. An actuator that throws has failed, no more. */
final class Hands {
    private final Map<String, Actuator> actuators = new TreeMap<>();
    private final String usual;
    private final GuardConfig config;
    private final DecisionLog log;

    Hands(GuardParts parts, GuardConfig config, DecisionLog log) {
        for (Actuator actuator : parts.actuators()) {
            actuators.put(actuator.name(), actuator);
        }
        this.usual = parts.usualActuator();
        this.config = config;
        this.log = log;
    }

    Set<String> names() {
        return new TreeSet<>(actuators.keySet());
    }

    /** The name of what stops this unit. */
    String nameFor(Unit unit) {
        return unit.actuators().isEmpty() ? usual : unit.actuators().first();
    }

    /** Why nothing can be done with it; empty if something can. */
    Optional<String> problem(Unit unit) {
        if (!unit.problems().isEmpty()) {
            return Optional.of(String.join("; ", unit.problems()));
        }
        String name = nameFor(unit);
        return actuators.containsKey(name)
                ? Optional.empty()
                : Optional.of("actuator '" + name + "' is not configured here; nothing was done. Configured: "
                        + (actuators.isEmpty() ? "none" : String.join(", ", actuators.keySet())));
    }

    ResourceState state(Unit unit, long token) {
        try {
            return actuator(unit).state(target(unit, token, "look", false));
        } catch (RuntimeException e) {
            log.acting(
                    unit.id(),
                    "looking failed: " + Registration.shown(String.valueOf(e.getMessage())),
                    nameFor(unit),
                    token);
            return ResourceState.UNKNOWN;
        }
    }

    ActResult stop(Unit unit, long token, String reason, boolean dryRun) {
        log.acting(unit.id(), dryRun ? "would stop" : "stopping", nameFor(unit), token);
        try {
            return actuator(unit).stop(target(unit, token, reason, dryRun));
        } catch (RuntimeException e) {
            return new ActResult.Failed(String.valueOf(e.getMessage()));
        }
    }

    ActResult start(Unit unit, long token, String reason) {
        log.acting(unit.id(), "starting", nameFor(unit), token);
        try {
            return actuator(unit).start(target(unit, token, reason, false));
        } catch (RuntimeException e) {
            return new ActResult.Failed(String.valueOf(e.getMessage()));
        }
    }

    private Actuator actuator(Unit unit) {
        Actuator found = actuators.get(nameFor(unit));
        if (found == null) {
            throw new IllegalStateException(problem(unit).orElse("no actuator"));
        }
        return found;
    }

    private ActTarget target(Unit unit, long token, String reason, boolean dryRun) {
        Map<String, String> settings = Map.of("places", String.join(",", unit.places()));
        return new ActTarget(
                unit.id(), List.copyOf(unit.types()), token, reason, dryRun, config.actTimeout(), settings);
    }
}
