package dev.holdfast.guard;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Calls the actuator of a resource. An actuator that throws has failed, no more. */
final class ActuatorCalls {
    private final Map<String, Actuator> actuators = new TreeMap<>();
    private final Optional<String> usual;
    private final GuardConfig config;
    private final DecisionLog log;

    ActuatorCalls(GuardParts parts, GuardConfig config, DecisionLog log) {
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

    /** Why a database that is about to be registered may not be acted on here; empty if it may, or nothing here would. */
    Optional<String> refusal(AppDatabase database) {
        Optional<String> name = database.actuator().or(() -> usual);
        Optional<String> id = database.instanceId().or(database::endpoint).or(database::host);
        return name.map(actuators::get)
                .filter(actuator -> id.isPresent() && !actuator.allows(id.get()))
                .map(actuator -> "'" + id.get() + "' is not on the list guard.actuators." + actuator.name()
                        + ".allow of this server; name another actuator, or ask whoever runs it to add it");
    }

    /** The name of what stops this, as far as anybody said. */
    Optional<String> nameFor(StopUnit unit, ResourceRecord resource) {
        return unit.actuators().stream().findFirst().or(() -> usual).or(resource::actuator);
    }

    /** What is to be noted as its actuator when it is registered here: nothing that would hide a real one known elsewhere. */
    ResourceRecord noted(StopUnit unit, ResourceRecord resource) {
        Optional<String> name = unit.actuators().stream().findFirst().or(() -> usual);
        boolean hides = resource.actuator().isPresent()
                && unit.actuators().isEmpty()
                && name.filter(this::isRecordOnly).isPresent();
        return name.isEmpty() || hides ? resource : resource.actedOnBy(name.get());
    }

    /** Whether what is stopped here is only recorded as stopped. */
    boolean recordsOnly(StopUnit unit, ResourceRecord resource) {
        return nameFor(unit, resource).filter(this::isRecordOnly).isPresent();
    }

    private boolean isRecordOnly(String name) {
        Actuator found = actuators.get(name);
        return found != null && found.recordsOnly();
    }

    /** Why nothing can be done with it here; empty if something can. */
    Optional<String> problem(StopUnit unit, ResourceRecord resource) {
        if (!unit.problems().isEmpty()) {
            return Optional.of(String.join("; ", unit.problems()));
        }
        if (unit.actuators().isEmpty() && usual.isEmpty()) {
            return resource.actuator().filter(this::isReal).isPresent()
                    ? Optional.empty()
                    : Optional.of(resource.actuator()
                                    .filter(name -> !actuators.containsKey(name))
                                    .map(name -> "its actuator '" + name + "' is not configured here")
                                    .orElse("no actuator for it is configured here")
                            + " (guard.actuator, guard.actuators); nothing was done. A server that has one goes on with what is"
                            + " stored");
        }
        String name = nameFor(unit, resource).orElseThrow();
        if (!actuators.containsKey(name)) {
            return Optional.of("actuator '" + name + "' is not configured here; nothing was done. Configured: "
                    + (actuators.isEmpty() ? "none" : String.join(", ", actuators.keySet())));
        }
        return resource.actuator()
                .filter(known -> !known.equals(name) && isRecordOnly(name) && !isRecordOnly(known))
                .map(known -> "its actuator is '" + known + "', but here it would be '" + name
                        + "', which only records; nothing was done. Set guard.actuator to '" + known
                        + "', or unregister its apps and register them again to have it only recorded");
    }

    private boolean isReal(String name) {
        return actuators.containsKey(name) && !isRecordOnly(name);
    }

    ResourceState state(Target target) {
        try {
            return actuator(target).state(target(target, "look", false));
        } catch (RuntimeException e) {
            log.acting(
                    target.unit().id(),
                    "looking failed: " + Registration.shown(String.valueOf(e.getMessage())),
                    target.actuator(),
                    target.token());
            return ResourceState.UNKNOWN;
        }
    }

    ActResult stop(Target target, String reason, boolean dryRun) {
        log.acting(target.unit().id(), dryRun ? "would stop" : "stopping", target.actuator(), target.token());
        try {
            return actuator(target).stop(target(target, reason, dryRun));
        } catch (RuntimeException e) {
            return new ActResult.Failed(String.valueOf(e.getMessage()));
        }
    }

    ActResult start(Target target, String reason) {
        log.acting(target.unit().id(), "starting", target.actuator(), target.token());
        try {
            return actuator(target).start(target(target, reason, false));
        } catch (RuntimeException e) {
            return new ActResult.Failed(String.valueOf(e.getMessage()));
        }
    }

    /**
     * What is acted on.
     *
     * @param unit which
     * @param actuator what stops and starts it
     * @param token of the lock it is done under; 0 to look only
     */
    record Target(StopUnit unit, String actuator, long token) {}

    /** Something nothing speaks against: {@link #problem} is empty. */
    Target target(StopUnit unit, ResourceRecord resource, long token) {
        return new Target(unit, nameFor(unit, resource).orElseThrow(), token);
    }

    private Actuator actuator(Target target) {
        Actuator found = actuators.get(target.actuator());
        if (found == null) {
            throw new IllegalStateException("actuator '" + target.actuator() + "' is not configured here");
        }
        return found;
    }

    private ActTarget target(Target target, String reason, boolean dryRun) {
        StopUnit unit = target.unit();
        Map<String, String> settings = Map.of("places", String.join(",", unit.places()));
        return new ActTarget(
                unit.id(), List.copyOf(unit.types()), target.token(), reason, dryRun, config.actTimeout(), settings);
    }
}
