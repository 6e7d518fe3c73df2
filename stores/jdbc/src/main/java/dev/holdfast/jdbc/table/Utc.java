package dev.holdfast.jdbc.table;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

/** Times as text that people read, that sorts like the times, and that SQLite's own functions take: UTC, microseconds. */
public final class Utc {
    private static final int LENGTH = "2026-11-15 22:54:03.123456".length();

    /** Columns with such texts. */
    public static final TimeColumn COLUMN = new TimeColumn() {
        @Override
        public void set(PreparedStatement statement, int index, Instant time) throws SQLException {
            statement.setString(index, text(time));
        }

        @Override
        public Instant get(ResultSet row, int column) throws SQLException {
            return time(row.getString(column));
        }
    };

    private Utc() {}

    public static String text(Instant time) {
        LocalDateTime utc = LocalDateTime.ofEpochSecond(time.getEpochSecond(), 0, ZoneOffset.UTC);
        char[] text = new char[LENGTH];
        digits(text, 0, 4, utc.getYear());
        text[4] = '-';
        digits(text, 5, 2, utc.getMonthValue());
        text[7] = '-';
        digits(text, 8, 2, utc.getDayOfMonth());
        text[10] = ' ';
        digits(text, 11, 2, utc.getHour());
        text[13] = ':';
        digits(text, 14, 2, utc.getMinute());
        text[16] = ':';
        digits(text, 17, 2, utc.getSecond());
        text[19] = '.';
        digits(text, 20, 6, time.getNano() / 1_000);
        return new String(text);
    }

    /** By hand: a formatter would cost more than storing the row. */
    private static void digits(char[] text, int at, int count, int value) {
        int rest = value;
        for (int i = at + count - 1; i >= at; i--) {
            text[i] = (char) ('0' + rest % 10);
            rest /= 10;
        }
    }

    /**
     * The time of a text.
     *
     * @throws java.time.DateTimeException if it is none
     */
    public static Instant time(String text) {
        return LocalDateTime.parse(text.replace(' ', 'T')).toInstant(ZoneOffset.UTC);
    }
}
