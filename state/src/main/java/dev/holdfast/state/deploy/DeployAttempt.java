package dev.holdfast.state.deploy;

/** What came of asking for a deploy lock. */
public sealed interface DeployAttempt permits DeployLock, LockHeld {
    /**
     * The lock.
     *
     * @throws LockHeldException if others hold it
     */
    default DeployLock orThrow() {
        if (this instanceof LockHeld held) {
            throw new LockHeldException(held);
        }
        return (DeployLock) this;
    }
}
