package dev.holdfast.state.terraform;

/** The lock with this ID may not be used like that; nothing was changed. The message says what to do. */
public final class LockDeniedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final Reason reason;

    LockDeniedException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    public enum Reason {
        /** No lock can have such an ID. */
        NOT_AN_ID,
        /** It was taken by another; an ID that is shown to all who look is no proof of holding the lock. */
        NOT_YOURS,
        /** This ID holds a part of the stack: which version its change was made from has to be said. */
        VERSION_NEEDED,
        /** What this ID holds is no part of a stack that state knows. */
        NOT_A_PART,
        /** Terraform may end no lock of another here. */
        FORCE_DENIED,
        /** Terraform may end only stale locks of others here, and this one does not look stale. */
        NOT_STALE
    }

    public Reason reason() {
        return reason;
    }
}
