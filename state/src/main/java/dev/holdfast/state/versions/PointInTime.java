package dev.holdfast.state.versions;

import dev.holdfast.model.Times;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A time as it is shown and typed, as precise as it was given: a day, a minute, a second or a fraction of one. It means all of that
 * unit, so a version that is shown as saved at {@code 11:05:12} is found by {@code 11:05:12}, whatever its microseconds are.
 *
 * <pre>
 *   2026-11-16                        all of that day
 *   2026-11-16T11:05                  all of that minute
 *   2026-11-16T11:05:12Z              all of that second
 *   2026-11-16T12:05:12.123456+01:00  that microsecond
 * </pre>
 *
 * <p>Without a zone it is UTC. A space may stand for the {@code T}.
 *
 * @param from the first moment that is meant
 * @param until the first moment after it
 */
public record PointInTime(Instant from, Instant until) {
    /** What can be given, for messages. */
    public static final String EXAMPLES =
            "2026-11-16T11:05:12Z, 2026-11-16T11:05 or 2026-11-16, in UTC unless it says otherwise";

    private static final Pattern TEXT = Pattern.compile(
            "(?<date>\\d{4}-\\d{2}-\\d{2})"
                    + "([Tt ](?<minute>\\d{2}:\\d{2})(:(?<second>\\d{2})([.,](?<fraction>\\d{1,9}))?)?(?<zone>[Zz]|[+-]\\d{2}(:?\\d{2})?)?)?");
    /** Versions are named by microseconds: nothing finer can be meant. */
    private static final int FINEST = 6;

    public PointInTime {
        if (!until.isAfter(from)) {
            throw new IllegalArgumentException("a time must end after it began");
        }
    }

    /** This microsecond. */
    public static PointInTime of(Instant time) {
        Instant sane = time.isBefore(Times.NEVER) ? time : Times.NEVER;
        Instant start = sane.truncatedTo(ChronoUnit.MICROS);
        return new PointInTime(start, start.plus(1, ChronoUnit.MICROS));
    }

    /**
     * Reads one of the forms above.
     *
     * @throws IllegalArgumentException if it is none, with examples of those there are
     */
    public static PointInTime parse(String text) {
        Matcher found = TEXT.matcher(text);
        if (!found.matches()) {
            throw refused();
        }
        try {
            LocalDate date = LocalDate.parse(found.group("date"));
            if (found.group("minute") == null) {
                return since(date.atStartOfDay().toInstant(ZoneOffset.UTC), Duration.ofDays(1));
            }
            String second = found.group("second");
            String fraction = found.group("fraction");
            LocalTime time = LocalTime.parse(found.group("minute")
                    + (second == null ? "" : ":" + second)
                    + (fraction == null ? "" : "." + fraction));
            return since(LocalDateTime.of(date, time).toInstant(zone(found.group("zone"))), unit(second, fraction));
        } catch (DateTimeException e) { // the right characters, but no such day or hour
            throw refused();
        }
    }

    private static PointInTime since(Instant start, Duration unit) {
        return unit.compareTo(Duration.of(1, ChronoUnit.MICROS)) <= 0
                ? of(start)
                : new PointInTime(start, start.plus(unit));
    }

    private static ZoneOffset zone(@Nullable String zone) {
        return zone == null || zone.equalsIgnoreCase("Z") ? ZoneOffset.UTC : ZoneOffset.of(zone);
    }

    private static Duration unit(@Nullable String second, @Nullable String fraction) {
        if (second == null) {
            return Duration.ofMinutes(1);
        }
        int digits = fraction == null ? 0 : Math.min(FINEST, fraction.length());
        return Duration.ofSeconds(1).dividedBy((long) Math.pow(10, digits));
    }

    private static IllegalArgumentException refused() {
        return new IllegalArgumentException("must be a time such as " + EXAMPLES);
    }

    /** For messages: its start, to the precision that tells it apart. */
    @Override
    public String toString() {
        Duration unit = Duration.between(from, until);
        if (unit.equals(Duration.ofDays(1))) {
            return from.toString().substring(0, 10);
        }
        return unit.equals(Duration.ofMinutes(1)) ? from.toString().substring(0, 16) + "Z" : from.toString();
    }
}
