package dev.holdfast.guard.actuator.builtin;

import dev.holdfast.guard.ResourceState;
import dev.holdfast.guard.actuator.ActResult;
import dev.holdfast.guard.actuator.ActTarget;
import dev.holdfast.guard.actuator.BoundedActuator;
import dev.holdfast.guard.actuator.Deadline;
import dev.holdfast.guard.actuator.StopOrStart;
import dev.holdfast.internal.parts.RecentMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records what it was told and touches nothing. Its state is what it was last told, so that a stop recorded once counts as done;
 * {@link ResourceState#UNKNOWN} before that, and again after a restart.
 */
public final class LogActuator extends BoundedActuator {
    private static final Logger LOG = LoggerFactory.getLogger(LogActuator.class);
    private static final int MOST = 10_000;

    private static final ReportedState NOTHING = new ReportedState(ResourceState.UNKNOWN, 0);

    private final Map<String, ReportedState> told = new RecentMap<>(MOST);

    private record ReportedState(ResourceState state, long token) {}

    public LogActuator(String name) {
        super(name);
    }

    @Override
    public boolean recordsOnly() {
        return true;
    }

    @Override
    protected ResourceState look(ActTarget target, Deadline deadline) {
        synchronized (told) {
            return told.getOrDefault(target.dbIdentifier(), NOTHING).state();
        }
    }

    @Override
    protected ActResult act(ActTarget target, StopOrStart aim, Deadline deadline) {
        ResourceState now = aim == StopOrStart.STOP ? ResourceState.STOPPED : ResourceState.RUNNING;
        // One step: what an older token is told must not be remembered over what a newer one was.
        synchronized (told) {
            ReportedState last = told.getOrDefault(target.dbIdentifier(), NOTHING);
            if (last.token() > target.fencingToken()) {
                return new ActResult.Stale(last.token());
            }
            if (target.dryRun()) {
                return new ActResult.Done(
                        last.state(), "dry run: the " + aim.verb() + " would be recorded, and nothing touched");
            }
            told.put(target.dbIdentifier(), new ReportedState(now, target.fencingToken()));
        }
        LOG.info(
                "Recorded only: {} of '{}' ({}) with token {}, because {}",
                aim.verb(),
                target.dbIdentifier(),
                String.join(", ", target.types()),
                target.fencingToken(),
                target.reason());
        return new ActResult.Done(
                now,
                "the " + aim.verb() + " was recorded and nothing touched: '" + name()
                        + "' is an actuator of type log; configure another to act");
    }
}
