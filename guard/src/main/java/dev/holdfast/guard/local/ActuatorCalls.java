package dev.holdfast.guard.local;

import dev.holdfast.guard.GuardConfig;
import dev.holdfast.guard.Registration;
import dev.holdfast.guard.ResourceState;
import dev.holdfast.guard.actuator.ActResult;
import dev.holdfast.guard.actuator.ActTarget;
import dev.holdfast.guard.actuator.Actuator;
import dev.holdfast.guard.registry.ActuatorChoice;
import dev.holdfast.guard.resource.ResourceRecord;
import dev.holdfast.guard.resource.StopUnit;
import dev.holdfast.guard.rules.Step;
import java.util.List;
import java.util.Map;

/** Calls the actuator of a resource. An actuator that throws has failed, no more. */
record ActuatorCalls(ActuatorChoice choice, GuardConfig config, DecisionLog log) {
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

    ActResult act(Step.Kind kind, Target target, String reason) {
        String doing = switch (kind) {
            case STOP -> "stopping";
            case STOP_DRY -> "would stop";
            case START -> "starting";
        };
        log.acting(target.unit().id(), doing, target.actuator(), target.token());
        try {
            ActTarget on = target(target, reason, kind == Step.Kind.STOP_DRY);
            return kind == Step.Kind.START
                    ? actuator(target).start(on)
                    : actuator(target).stop(on);
        } catch (RuntimeException e) {
            return new ActResult.Failed(String.valueOf(e.getMessage()));
        }
    }

    /** What is acted on, and the token of the lock it is done under; 0 to look only. */
    record Target(StopUnit unit, String actuator, long token) {}

    /** Something nothing speaks against: {@link ActuatorChoice#problem} is empty. */
    Target target(StopUnit unit, ResourceRecord resource, long token) {
        return new Target(unit, choice.nameFor(unit, resource).orElseThrow(), token);
    }

    private Actuator actuator(Target target) {
        return choice.find(target.actuator())
                .orElseThrow(
                        () -> new IllegalStateException("actuator '" + target.actuator() + "' is not configured here"));
    }

    private ActTarget target(Target target, String reason, boolean dryRun) {
        StopUnit unit = target.unit();
        Map<String, String> settings = Map.of("places", String.join(",", unit.places()));
        return new ActTarget(
                unit.id(), List.copyOf(unit.types()), target.token(), reason, dryRun, config.actTimeout(), settings);
    }
}
