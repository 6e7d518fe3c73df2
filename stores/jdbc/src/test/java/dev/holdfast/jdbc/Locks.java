package dev.holdfast.jdbc;

import dev.holdfast.jdbc.sqlite.SqliteSettings;
import dev.holdfast.model.EventType;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockEvent;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.Mode;
import dev.holdfast.model.Past;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Stamp;
import dev.holdfast.model.Terms;
import dev.holdfast.model.Token;
import dev.holdfast.spi.Precondition;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.Versioned;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import dev.holdfast.testkit.Await;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** Short ways to make records, to write and read them, and to look at the file with plain SQL. */
public final class Locks {
    public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    public static final RecordKey KEY = new RecordKey("default", "lock");

    private Locks() {}

    /** What the store makes of a configuration, for tests that go below it. */
    public static SqliteSettings settings(SqliteConfig config) {
        return config.settings();
    }

    public static RecordKey key(String name) {
        return new RecordKey("default", name);
    }

    public static Hold hold(String owner, Instant granted, Instant expires) {
        return hold(owner, LockPath.WHOLE, Mode.EXCLUSIVE, granted, expires, Map.of());
    }

    public static Hold hold(
            String owner, LockPath path, Mode mode, Instant granted, Instant expires, Map<String, String> metadata) {
        return new Hold(
                LeaseId.ofBits(random(), random()),
                Scope.of(path, mode),
                owner,
                new Token(5),
                granted,
                granted,
                expires,
                new Terms(Duration.ofSeconds(30), Duration.ofSeconds(10), Duration.ZERO, metadata, ""),
                Hold.Phase.HELD,
                Optional.empty(),
                false);
    }

    public static LockRecord held(RecordKey key, Hold... holds) {
        return new LockRecord(
                LockRecord.FORMAT,
                key,
                new Stamp(random() | 1),
                new Token(5),
                List.of(holds),
                List.of(),
                Map.of(),
                Past.NONE,
                Map.of());
    }

    public static LockRecord held(RecordKey key) {
        return held(key, hold("worker-1", START, START.plusSeconds(30)));
    }

    public static LockEvent event(RecordKey key, EventType type, Instant at) {
        return new LockEvent(
                type,
                key,
                Scope.WHOLE,
                77,
                "worker-1",
                new Token(5),
                at,
                Duration.ofMillis(3),
                "worker-1",
                "",
                Map.of(),
                "");
    }

    private static long random() {
        return ThreadLocalRandom.current().nextLong();
    }

    // ---- through the store

    public static Write absent(LockRecord record, LockEvent... events) {
        return Write.create(record).withEvents(List.of(events));
    }

    public static Write stamped(LockRecord before, LockRecord next, LockEvent... events) {
        Precondition same = new Precondition.Stamped(before.stamp(), "", Optional.empty());
        return Write.of(same, next).withEvents(List.of(events));
    }

    public static WriteResult write(RecordStore store, Write write) {
        return Await.get(store.write(List.of(write))).get(0);
    }

    public static LockRecord put(RecordStore store, LockRecord record, LockEvent... events) {
        WriteResult result = write(store, absent(record, events));
        if (!(result instanceof WriteResult.Applied)) {
            throw new AssertionError("not written: " + result);
        }
        return record;
    }

    public static LockRecord read(RecordStore store, RecordKey key) {
        return Await.get(store.read(key)).map(Versioned::record).orElseThrow();
    }

    // ---- past the store

    /** A connection of somebody else, with the settings everybody has. */
    public static Connection plain(Path file) throws SQLException {
        return DriverManager.getConnection("jdbc:sqlite:" + file);
    }

    public static void sql(Path file, String... statements) throws SQLException {
        try (Connection connection = plain(file);
                Statement statement = connection.createStatement()) {
            for (String one : statements) {
                statement.execute(one);
            }
        }
    }

    /** The rows of a query, the columns of each joined by {@code |}, as the sqlite3 shell shows them. */
    public static List<String> query(Path file, String query) throws SQLException {
        try (Connection connection = plain(file)) {
            return rows(connection, query);
        }
    }

    public static List<String> rows(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            List<String> rows = new ArrayList<>();
            int columns = row.getMetaData().getColumnCount();
            while (row.next()) {
                List<String> values = new ArrayList<>();
                for (int i = 1; i <= columns; i++) {
                    values.add(String.valueOf(row.getString(i)));
                }
                rows.add(String.join("|", values));
            }
            return rows;
        }
    }
}
