package dev.holdfast.jdbc.sqlite;

import dev.holdfast.jdbc.connection.Session;
import dev.holdfast.jdbc.table.Utc;
import dev.holdfast.spi.StoreUnusableException;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;

/** What the file knows of itself: above all the store's time. */
final class SqliteMeta {
    private static final String TIME = "select value from holdfast_meta where key = 'time'";
    private static final String RAISE =
            "update holdfast_meta set value = max(value, ?) where key = 'time' returning value";
    private static final String RAISE_IF_BUSY = "update holdfast_meta set value = max(value, ?) where key = 'time'"
            + " and exists (select 1 from holdfast_lock where busy = 1)";

    private SqliteMeta() {}

    static Optional<String> get(Session session, String key) throws SQLException {
        return session.first("select value from holdfast_meta where key = ?", row -> row.getString(1), key);
    }

    static void put(Session session, String key, String value) throws SQLException {
        session.update(
                "insert into holdfast_meta (key, value) values (?, ?)"
                        + " on conflict (key) do update set value = excluded.value",
                key,
                value);
    }

    static void remove(Session session, String key) throws SQLException {
        session.update("delete from holdfast_meta where key = ?", key);
    }

    /** Whether anybody holds or waits for a lock. */
    static boolean isBusy(Session session) throws SQLException {
        return session.first("select 1 from holdfast_lock where busy = 1 limit 1", row -> true)
                .isPresent();
    }

    /** The last stored time; long ago in a new file. */
    static Instant time(Session session) throws SQLException {
        return only(session.first(TIME, row -> row.getString(1)));
    }

    /** Stores this time unless the stored one is later; returns what is stored then. Takes the write lock. */
    static Instant raise(Session session, Instant time) throws SQLException {
        return only(session.first(RAISE, row -> row.getString(1), Utc.text(time)));
    }

    /** The same, but only if anybody holds or waits for a lock; says whether it did. */
    static boolean raiseIfBusy(Session session, Instant time) throws SQLException {
        return session.update(RAISE_IF_BUSY, Utc.text(time)) > 0;
    }

    private static Instant only(Optional<String> stored) {
        String text = stored.orElseThrow(() -> new StoreUnusableException(
                "The row 'time' of table holdfast_meta is gone; restore the file from a backup, or run: holdfast schema"
                        + " migrate --repair",
                null));
        try {
            return Utc.time(text);
        } catch (DateTimeException e) {
            throw new StoreUnusableException(
                    "The row 'time' of table holdfast_meta is '" + text
                            + "', not a time such as 2026-11-15 22:54:03.123456; set it to the time of the last write",
                    e);
        }
    }
}
