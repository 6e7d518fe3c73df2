package dev.holdfast.state.deploy;

/** What became of a force-unlock. {@link LockHeld}: by another than the one that was named; nothing was changed. */
public sealed interface UnlockOutcome permits UnlockOutcome.Unlocked, LockNotFound, LockHeld {
    /** Ended, as it was; whoever held it can never save again once the next has taken the lock. */
    record Unlocked(LockInfo was) implements UnlockOutcome {}
}
