package dev.holdfast.guard;

/** Others changed the same documents, or hold the lock, all the time: nothing was done; try again. */
public final class GuardBusyException extends RuntimeException {
    public GuardBusyException(String message) {
        super(message);
    }
}
