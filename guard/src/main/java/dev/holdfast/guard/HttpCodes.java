package dev.holdfast.guard;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A set of HTTP status codes, as ranges. */
public record HttpCodes(List<Range> ranges) {
    /** Every failure of a server. */
    static final HttpCodes SERVER_ERRORS = new HttpCodes(List.of(new Range(500, 599)));

    /** More than anybody needs, and few enough to read. */
    static final int MAX_RANGES = 32;

    private static final Pattern RANGE = Pattern.compile("([1-5][0-9]{2})(?:\\s*-\\s*([1-5][0-9]{2}))?");

    /** From one code to another, both included. */
    public record Range(int from, int to) {
        boolean overlaps(Range other) {
            return from <= other.to && other.from <= to;
        }

        /** As it is written: {@code 404}, {@code 500-599}. */
        @Override
        public String toString() {
            return from == to ? Integer.toString(from) : from + "-" + to;
        }
    }

    public HttpCodes {
        ranges = List.copyOf(ranges);
    }

    /** Reads texts such as {@code 404} and {@code 500-599}; adds what is wrong with one to the problems. */
    static HttpCodes parse(List<String> texts, String at, List<String> problems) {
        List<Range> ranges = new ArrayList<>();
        if (texts.size() > MAX_RANGES) {
            problems.add(at + " has " + texts.size() + " entries; at most " + MAX_RANGES + " are allowed");
            return new HttpCodes(ranges);
        }
        for (String text : texts) {
            Matcher matcher = RANGE.matcher(text.strip());
            int from = matcher.matches() ? Integer.parseInt(matcher.group(1)) : 0;
            int to = from > 0 && matcher.group(2) != null ? Integer.parseInt(matcher.group(2)) : from;
            if (from == 0 || from > to) {
                problems.add(at + " '" + Registration.shown(text)
                        + "' must be a code from 100 to 599, such as 404, or a range, such as 500-599");
            } else {
                ranges.add(new Range(from, to));
            }
        }
        return new HttpCodes(ranges);
    }

    public boolean isEmpty() {
        return ranges.isEmpty();
    }

    boolean contains(int code) {
        return ranges.stream().anyMatch(range -> range.from <= code && code <= range.to);
    }

    boolean overlaps(HttpCodes other) {
        return ranges.stream().anyMatch(range -> other.ranges.stream().anyMatch(range::overlaps));
    }

    public List<String> texts() {
        return ranges.stream().map(Range::toString).toList();
    }
}
