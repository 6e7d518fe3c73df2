package dev.holdfast.spring;

import org.jspecify.annotations.Nullable;

/** Why an application cannot start with Holdfast, and what to do about it. */
public final class HoldfastStartException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    private final String description;
    private final String action;

    HoldfastStartException(String description, String action) {
        this(description, action, null);
    }

    /**
     * For what something else has told.
     *
     * @param description what is wrong; a full stop at its end is left out, as others add one
     * @param action what to do
     * @param cause who has told it
     */
    HoldfastStartException(String description, String action, @Nullable Throwable cause) {
        super(withoutStop(description) + ". " + action, cause);
        this.description = withoutStop(description);
        this.action = action;
    }

    private static String withoutStop(String text) {
        return text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
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
