package dev.holdfast.wire;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** Times as everything outside sees them: RFC 3339, UTC, milliseconds unless said otherwise. */
public final class Rfc3339 {
    private static final DateTimeFormatter ANY =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter FINE =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);
    private static final int SECONDS_OF_DAY = 86_400;
    /** Of the year 9999. */
    private static final long LAST_DAY = LocalDate.of(9999, 12, 31).toEpochDay();

    private Rfc3339() {}

    /** The time as text. Every lease and event has some, so years that have four digits take a short way. */
    public static String text(Instant time) {
        long days = Math.floorDiv(time.getEpochSecond(), SECONDS_OF_DAY);
        if (days < 0 || days > LAST_DAY) {
            return ANY.format(time);
        }
        LocalDate date = LocalDate.ofEpochDay(days);
        int second = Math.floorMod(time.getEpochSecond(), SECONDS_OF_DAY);
        char[] text = "0000-00-00T00:00:00.000Z".toCharArray();
        digits(text, 4, date.getYear());
        digits(text, 7, date.getMonthValue());
        digits(text, 10, date.getDayOfMonth());
        digits(text, 13, second / 3_600);
        digits(text, 16, second / 60 % 60);
        digits(text, 19, second % 60);
        digits(text, 23, time.getNano() / 1_000_000);
        return new String(text);
    }

    /** To the microsecond, for what is told apart by it. */
    public static String fine(Instant time) {
        return FINE.format(time);
    }

    private static void digits(char[] text, int end, int number) {
        int rest = number;
        for (int i = end - 1; rest > 0; i--) {
            text[i] = (char) ('0' + rest % 10);
            rest /= 10;
        }
    }
}
