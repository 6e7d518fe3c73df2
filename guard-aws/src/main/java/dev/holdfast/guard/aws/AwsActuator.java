package dev.holdfast.guard.aws;

import dev.holdfast.guard.ResourceState;
import dev.holdfast.guard.actuator.ActFailure;
import dev.holdfast.guard.actuator.ActResult;
import dev.holdfast.guard.actuator.ActTarget;
import dev.holdfast.guard.actuator.ActuatorSettings;
import dev.holdfast.guard.actuator.BoundedActuator;
import dev.holdfast.guard.actuator.Deadline;
import dev.holdfast.guard.actuator.ReadBack;
import dev.holdfast.guard.actuator.StopOrStart;
import java.time.Duration;

/**
 * Stops and starts what one AWS service keeps. Tokens stand in the keys of tags, {@code holdfast:fencing-token:42}; see {@link
 * FencedAct} for what that protects from.
 */
abstract class AwsActuator extends BoundedActuator {
    private final AwsQuery query;
    private final ReadBack settling;

    AwsActuator(String name, String service, String version, Duration poll, ActuatorSettings settings) {
        super(name);
        query = new AwsQuery(service, version, settings);
        settling = ReadBack.from(settings, poll, Duration.ofSeconds(10));
    }

    abstract FencedResource resource(ActTarget target, AwsQuery service) throws ActFailure;

    @Override
    protected ResourceState look(ActTarget target, Deadline deadline) throws ActFailure {
        return resource(target, query).look(deadline).state();
    }

    @Override
    protected ActResult act(ActTarget target, StopOrStart aim, Deadline deadline) throws ActFailure {
        return new FencedAct(resource(target, query), target, aim, settling, deadline).run();
    }
}
