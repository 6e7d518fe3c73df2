package dev.holdfast.server.config.values;

import java.util.List;
import java.util.Optional;

/** A value is not allowed. Says what would be; the caller adds the key and where it came from. */
public final class ValueRefusal extends Exception {
    /** Longer values are cut in messages: the beginning is enough to find them. */
    private static final int SHOWN = 60;

    private final transient List<Detail> details;

    ValueRefusal(List<Detail> details) {
        super(details.toString());
        this.details = List.copyOf(details);
    }

    static ValueRefusal mustBe(String allowed) {
        return new ValueRefusal(List.of(new Detail("", "must be " + allowed, Optional.empty())));
    }

    public List<Detail> details() {
        return details;
    }

    /** A value in quotes, on one line, cut if it is long. */
    public static String quoted(String value) {
        String oneLine = value.replaceAll("\\p{Cntrl}", "?");
        return oneLine.length() <= SHOWN ? "'" + oneLine + "'" : "'" + oneLine.substring(0, SHOWN) + "…'";
    }

    /**
     * One thing that is wrong.
     *
     * @param path where in the value, such as {@code [0].roles}; empty for the value itself
     * @param rule begins with "must", "is" or the like
     * @param was the part that is wrong, if it may be shown and is not the whole value
     */
    public record Detail(String path, String rule, Optional<String> was) {}
}
