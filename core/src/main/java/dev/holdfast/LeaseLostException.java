package dev.holdfast;

import dev.holdfast.failure.HoldfastException;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LostReason;

/** The lease is not held any more: another may hold the lock. Stop, or check every effect by its token. */
public final class LeaseLostException extends HoldfastException {
    private static final long serialVersionUID = 1;

    private final LostReason reason;

    /** For the lease on this lock, lost for this reason. */
    public LeaseLostException(LockKey key, LostReason reason) {
        super(
                "The lease on lock '" + key.name() + (key.path().isWhole() ? "" : "' at '" + key.path()) + "' in '"
                        + key.namespace() + "' is lost: " + why(reason)
                        + ". Somebody else may hold the lock by now: stop, then acquire it again",
                null);
        this.reason = reason;
    }

    /** Why. */
    public LostReason reason() {
        return reason;
    }

    private static String why(LostReason reason) {
        return switch (reason) {
            case EXPIRED -> "it was not renewed before its end";
            case RELEASED -> "it was released";
            case FORCED -> "an operator ended it by force";
            case ABANDONED -> "its place in the queue was given up";
            case REUSED -> "its lease id belongs to an acquisition with another owner, mode or path";
            case UNKNOWN -> "the store knows nothing of it";
            case STORE_UNREACHABLE -> "the store could not be reached in time";
            case PAUSED -> "this process was paused for longer than the lease";
            case CLOSED -> "its lock client was closed";
        };
    }
}
