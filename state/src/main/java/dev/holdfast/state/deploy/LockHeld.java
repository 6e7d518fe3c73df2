package dev.holdfast.state.deploy;

import java.util.List;

/**
 * Others hold it, or something it is part of, or that is part of it.
 *
 * @param key what was asked for
 * @param holders who holds what is in the way; empty when only waiters were first
 */
public record LockHeld(DeployKey key, List<LockInfo> holders) implements DeployAttempt, DeployOutcome, UnlockOutcome {
    public LockHeld {
        holders = List.copyOf(holders);
    }

    /** What to tell people. */
    public String message() {
        String by = holders.isEmpty()
                ? "others were first"
                : "held by '" + holders.get(0).lockedBy() + "' since "
                        + holders.get(0).lockedAt()
                        + (holders.get(0).stale()
                                ? " (stale: no heartbeat since "
                                        + holders.get(0).lastHeartbeat() + ")"
                                : "");
        return "Lock '" + key + "' cannot be taken: " + by
                + ". Wait, ask its holder, or end a dead one with: holdfast state unlock "
                + key.stack().name() + " " + key.stack().environment();
    }
}
