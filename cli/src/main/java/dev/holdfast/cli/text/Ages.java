package dev.holdfast.cli.text;

import java.time.Duration;
import java.time.Instant;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

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
        return written(positive, 2, "", (count, unit) -> count + SHORT[unit]);
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
        Duration positive = time.isNegative() ? Duration.ZERO : time;
        return written(positive, units, " ", (count, unit) -> count + " " + LONG[unit] + (count == 1 ? "" : "s"));
    }

    /** So many units from the first that there is any of, without those there are none of. */
    private static String written(Duration time, int units, String between, BiFunction<Long, Integer, String> part) {
        long[] counts = {time.toDays(), time.toHoursPart(), time.toMinutesPart(), time.toSecondsPart()};
        int last = counts.length - 1;
        int first =
                IntStream.range(0, last).filter(i -> counts[i] > 0).findFirst().orElse(last);
        return IntStream.range(first, Math.min(counts.length, first + units))
                .filter(i -> counts[i] > 0 || i == first)
                .mapToObj(i -> part.apply(counts[i], i))
                .collect(Collectors.joining(between));
    }
}
