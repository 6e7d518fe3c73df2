package dev.holdfast.spring;

/** Why an application cannot start with Holdfast, and what to do about it. */
public final class HoldfastStartException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    private final String description;
    private final String action;

    HoldfastStartException(String description, String action) {
        super(description + ". " + action);
        this.description = description;
        this.action = action;
    }

    /** What is wrong. */
    public String description() {
        return description;
    }

    /** What to do. */
    public String action() {
        return action;
    }
}
