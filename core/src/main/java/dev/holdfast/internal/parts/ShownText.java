package dev.holdfast.internal.parts;

/** Somebody else's text in a message of ours: short and harmless. */
public final class ShownText {
    private ShownText() {}

    /** At most 80 characters, without control characters. */
    public static String of(String text) {
        String clean = text.replaceAll("\\p{Cntrl}", "?");
        return clean.length() <= 80 ? clean : clean.substring(0, 77) + "...";
    }
}
