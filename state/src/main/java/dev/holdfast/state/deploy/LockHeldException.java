package dev.holdfast.state.deploy;

/** A deploy lock was held by others; for callers who would rather not look at values. */
public final class LockHeldException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient LockHeld held;

    LockHeldException(LockHeld held) {
        super(held.message());
        this.held = held;
    }

    public LockHeld held() {
        return held;
    }
}
