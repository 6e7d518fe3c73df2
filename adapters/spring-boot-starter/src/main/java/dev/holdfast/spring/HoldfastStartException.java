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

    /** For what something else has told. A full stop at the end of the description is left out, as others add one. */
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
