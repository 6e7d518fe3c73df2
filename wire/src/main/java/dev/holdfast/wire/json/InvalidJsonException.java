package dev.holdfast.wire.json;

/** What should be JSON is none. The message says where, never what stands there. */
public final class InvalidJsonException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private final String problem;

    InvalidJsonException(String problem) {
        super(problem);
        this.problem = problem;
    }

    /** What is wrong, and where; never what stands there. */
    public String problem() {
        return problem;
    }
}
