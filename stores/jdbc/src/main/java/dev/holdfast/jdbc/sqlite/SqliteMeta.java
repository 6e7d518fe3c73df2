package dev.holdfast.jdbc.sqlite;

import dev.holdfast.jdbc.connection.Session;
import dev.holdfast.jdbc.table.Utc;
import dev.holdfast.spi.StoreUnusableException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
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

    /** What is noted under this key. */
    static Optional<String> get(Session session, String key) throws SQLException {
        PreparedStatement statement = session.prepare("select value from holdfast_meta where key = ?");
        statement.setString(1, key);
        try (ResultSet row = statement.executeQuery()) {
            return row.next() ? Optional.ofNullable(row.getString(1)) : Optional.empty();
        }
    }

    static void put(Session session, String key, String value) throws SQLException {
        PreparedStatement statement = session.prepare("insert into holdfast_meta (key, value) values (?, ?)"
                + " on conflict (key) do update set value = excluded.value");
        statement.setString(1, key);
        statement.setString(2, value);
        statement.executeUpdate();
    }

    static void remove(Session session, String key) throws SQLException {
        PreparedStatement statement = session.prepare("delete from holdfast_meta where key = ?");
        statement.setString(1, key);
        statement.executeUpdate();
    }

    /** Whether anybody holds or waits for a lock. */
    static boolean isBusy(Session session) throws SQLException {
        try (ResultSet row = session.prepare("select 1 from holdfast_lock where busy = 1 limit 1")
                .executeQuery()) {
            return row.next();
        }
    }

    /** The last stored time; long ago in a new file. */
    static Instant time(Session session) throws SQLException {
        return only(session.prepare(TIME));
    }

    /** Stores this time unless the stored one is later; returns what is stored then. Takes the write lock. */
    static Instant raise(Session session, Instant time) throws SQLException {
        PreparedStatement statement = session.prepare(RAISE);
        statement.setString(1, Utc.text(time));
        return only(statement);
    }

    /** The same, but only if anybody holds or waits for a lock; says whether it did. */
    static boolean raiseIfBusy(Session session, Instant time) throws SQLException {
        PreparedStatement statement = session.prepare(RAISE_IF_BUSY);
        statement.setString(1, Utc.text(time));
        return statement.executeUpdate() > 0;
    }

    private static Instant only(PreparedStatement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery()) {
            if (!row.next()) {
                throw new StoreUnusableException(
                        "The row 'time' of table holdfast_meta is gone; restore the file from a backup, or run: holdfast schema"
                                + " migrate --repair",
                        null);
            }
            return parse(row.getString(1));
        }
    }

    private static Instant parse(String text) {
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
