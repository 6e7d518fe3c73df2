package dev.holdfast.guard.actuator.builtin;

import dev.holdfast.guard.ResourceState;
import dev.holdfast.guard.actuator.ActFailure;
import dev.holdfast.guard.actuator.ActResult;
import dev.holdfast.guard.actuator.ActTarget;
import dev.holdfast.guard.actuator.Aim;
import dev.holdfast.guard.actuator.BoundedActuator;
import dev.holdfast.guard.actuator.Deadline;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records what it was told and touches nothing. Its state is what it was last told, so that a stop recorded once counts as done;
 * {@link ResourceState#UNKNOWN} before that, and again after a restart.
 */
public final class LogActuator extends BoundedActuator {
    private static final Logger LOG = LoggerFactory.getLogger(LogActuator.class);
    private static final int MOST = 10_000;

    private final TokenGate tokens = new TokenMemory();
    private final Map<String, ResourceState> told = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, ResourceState> eldest) {
            return size() > MOST;
        }
    };

    /** Under the name resources call it by. */
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
            return told.getOrDefault(target.dbIdentifier(), ResourceState.UNKNOWN);
        }
    }

    @Override
    protected ActResult act(ActTarget target, Aim aim, Deadline deadline) throws ActFailure {
        ResourceState now = aim == Aim.STOP ? ResourceState.STOPPED : ResourceState.RUNNING;
        // One step: what an older token is told must not be remembered over what a newer one was.
        synchronized (told) {
            OptionalLong newer = target.dryRun()
                    ? tokens.newerThan(target.dbIdentifier(), target.fencingToken())
                    : tokens.claim(target.dbIdentifier(), target.fencingToken());
            if (newer.isPresent()) {
                return new ActResult.Stale(newer.getAsLong());
            }
            if (target.dryRun()) {
                return new ActResult.Done(
                        look(target, deadline),
                        "dry run: the " + aim.verb() + " would be recorded, and nothing touched");
            }
            told.put(target.dbIdentifier(), now);
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
