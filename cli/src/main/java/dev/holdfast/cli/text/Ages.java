package dev.holdfast.cli.text;

import java.time.Duration;
import java.time.Instant;

/** How long something lasts, as people read it: the two largest units that matter. */
public final class Ages {
    private static final String[] SHORT = {"d", "h", "m", "s"};
    private static final String[] LONG = {"day", "hour", "minute", "second"};

    private Ages() {}

    /** As in a table: {@code 4s}, {@code 3m12s}, {@code 2h5m}, {@code 3d4h}; below a second, {@code 250ms}. */
    public static String of(Duration time) {
        Duration positive = time.isNegative() ? Duration.ZERO : time;
        if (positive.compareTo(Duration.ofSeconds(1)) < 0) {
            return positive.toMillis() == 0 ? "0s" : positive.toMillis() + "ms";
        }
        StringBuilder text = new StringBuilder();
        long[] parts = parts(positive);
        for (int i = first(parts); i < Math.min(parts.length, first(parts) + 2); i++) {
            if (parts[i] > 0) {
                text.append(parts[i]).append(SHORT[i]);
            }
        }
        return text.toString();
    }

    /** The time from one moment to another; none if clocks disagree and it would be negative. */
    public static String between(Instant start, Instant end) {
        return of(Duration.between(start, end));
    }

    /** As in a sentence: {@code 3 hours 45 minutes}. */
    public static String inWords(Duration time) {
        return inWords(time, 2);
    }

    /** Only the largest unit: {@code 3 hours}. */
    public static String roughly(Duration time) {
        return inWords(time, 1);
    }

    private static String inWords(Duration time, int units) {
        long[] parts = parts(time.isNegative() ? Duration.ZERO : time);
        StringBuilder text = new StringBuilder();
        for (int i = first(parts); i < Math.min(parts.length, first(parts) + units); i++) {
            if (parts[i] > 0 || i == first(parts)) {
                text.append(text.isEmpty() ? "" : " ");
                text.append(parts[i] + " " + LONG[i] + (parts[i] == 1 ? "" : "s"));
            }
        }
        return text.toString();
    }

    private static long[] parts(Duration time) {
        return new long[] {time.toDays(), time.toHoursPart(), time.toMinutesPart(), time.toSecondsPart()};
    }

    private static int first(long[] parts) {
        int first = 0;
        while (first < parts.length - 1 && parts[first] == 0) {
            first++;
        }
        return first;
    }
}
