package dev.holdfast.guard.actuator;

import dev.holdfast.guard.ResourceState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What actuators have in common: one way for stop and start, a deadline for each call, and failures told as results. */
public abstract class BoundedActuator implements Actuator {
    private static final Logger LOG = LoggerFactory.getLogger(BoundedActuator.class);

    private final String name;

    protected BoundedActuator(String name) {
        this.name = name;
    }

    /** Takes the resource there, or says what would be done. */
    protected abstract ActResult act(ActTarget target, StopOrStart aim, Deadline deadline) throws ActFailure;

    protected abstract ResourceState look(ActTarget target, Deadline deadline) throws ActFailure;

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final ActResult stop(ActTarget target) {
        return act(target, StopOrStart.STOP);
    }

    @Override
    public final ActResult start(ActTarget target) {
        return act(target, StopOrStart.START);
    }

    private ActResult act(ActTarget target, StopOrStart aim) {
        try {
            return act(target, aim, Deadline.in(target.timeout()));
        } catch (ActFailure e) {
            return e.asResult();
        }
    }

    @Override
    public final ResourceState state(ActTarget target) {
        try {
            return look(target, Deadline.in(target.timeout()));
        } catch (ActFailure e) {
            LOG.warn("The state of '{}' is not known: {}", target.dbIdentifier(), e.getMessage());
            return ResourceState.UNKNOWN;
        }
    }
}
