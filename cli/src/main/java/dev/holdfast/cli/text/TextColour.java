package dev.holdfast.cli.text;

/** The few colours there are, each with a meaning. */
public enum TextColour {
    /** Column titles and labels. */
    QUIET("\u001b[2m"),
    /** What the eye should find first. */
    STRONG("\u001b[1m"),
    /** All well. */
    GOOD("\u001b[32m"),
    /** Worth a look. */
    CAREFUL("\u001b[33m"),
    /** Something is wrong, or cannot be undone. */
    BAD("\u001b[31m");

    private static final String RESET = "\u001b[0m";

    private final String code;

    TextColour(String code) {
        this.code = code;
    }

    public String on(String text) {
        return text.isEmpty() ? text : code + text + RESET;
    }
}
