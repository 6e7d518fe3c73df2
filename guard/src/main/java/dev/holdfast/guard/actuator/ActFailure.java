package dev.holdfast.guard.actuator;

/** Why an act did not work, in words for people; never with a secret in them. Becomes {@link ActResult.Failed}. */
public final class ActFailure extends Exception {
    /** With what happened and what to do. */
    public ActFailure(String what) {
        super(what);
    }

    /** With what happened, what to do, and what caused it. */
    public ActFailure(String what, Throwable cause) {
        super(what, cause);
    }

    /** As a result. */
    public ActResult asResult() {
        return new ActResult.Failed(String.valueOf(getMessage()));
    }
}
