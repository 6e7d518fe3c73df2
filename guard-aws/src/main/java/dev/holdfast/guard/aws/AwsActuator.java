package dev.holdfast.guard.aws;

import dev.holdfast.guard.ResourceState;
import dev.holdfast.guard.actuator.ActFailure;
import dev.holdfast.guard.actuator.ActResult;
import dev.holdfast.guard.actuator.ActTarget;
import dev.holdfast.guard.actuator.ActuatorSettings;
import dev.holdfast.guard.actuator.Aim;
import dev.holdfast.guard.actuator.BoundedActuator;
import dev.holdfast.guard.actuator.Deadline;
import dev.holdfast.guard.actuator.Settling;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Stops and starts what one AWS service keeps. Tokens stand in the keys of tags, {@code holdfast:fencing-token:42}; see {@link
 * FencedAct} for what that protects from.
 */
abstract class AwsActuator extends BoundedActuator {
    private final AwsQuery query;
    private final Settling settling;

    /** Reads its settings, noting what is wrong with them there. */
    AwsActuator(String name, String service, String version, Duration poll, ActuatorSettings settings) {
        super(name);
        query = new AwsQuery(service, version, settings);
        settling = Settling.from(settings, poll, Duration.ofSeconds(10));
    }

    /** What the target means. */
    abstract FencedResource resource(ActTarget target, AwsQuery service) throws ActFailure;

    @Override
    protected ResourceState look(ActTarget target, Deadline deadline) throws ActFailure {
        return resource(target, query).look(deadline).state();
    }

    @Override
    protected ActResult act(ActTarget target, Aim aim, Deadline deadline) throws ActFailure {
        return new FencedAct(resource(target, query), target, aim, settling, deadline).run();
    }

    /** A resource whose calls name it in what goes wrong. */
    interface AwsResource extends FencedResource {
        AwsQuery service();

        /** The call that takes it there. */
        String action(Aim aim);

        /** How that call names it. */
        Map<String, String> parameters();

        default AwsXml call(String action, Map<String, String> parameters, Deadline deadline) throws ActFailure {
            try {
                return service().call(action, parameters, deadline);
            } catch (AwsProblem e) {
                throw AwsRefusals.of(action, shown(), e);
            }
        }

        @Override
        default Optional<ActFailure> order(Aim aim, Deadline deadline) throws ActFailure {
            return service().attempt(action(aim), parameters(), shown(), deadline);
        }
    }
}
