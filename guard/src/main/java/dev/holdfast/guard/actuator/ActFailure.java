package dev.holdfast.guard.actuator;

/** Why an act did not work, in words for people; never with a secret in them. Becomes {@link ActResult.Failed}. */
public final class ActFailure extends Exception {
    public ActFailure(String what) {
        super(what);
    }

    public ActFailure(String what, Throwable cause) {
        super(what, cause);
    }

    public ActResult asResult() {
        return new ActResult.Failed(String.valueOf(getMessage()));
    }
}
