package dev.holdfast.jdbc;

import dev.holdfast.ClientConfig;
import dev.holdfast.LockClient;
import dev.holdfast.testkit.process.JavaProcess;
import dev.holdfast.testkit.process.JavaProgram;
import dev.holdfast.testkit.process.TurnTaker;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/** Takes turns in a PostgreSQL database, in a process of its own, and counts in table {@code counter} there. */
public final class PostgresTurns {
    private static final Duration LEASE = Duration.ofSeconds(2);

    private PostgresTurns() {}

    /** What the processes count in. */
    public static void createTables(String url) throws SQLException {
        Postgres.sql(
                url,
                "create table counter (value bigint not null, token bigint not null)",
                "insert into counter values (0, 0)",
                "create table journal (number bigint generated always as identity, token bigint, pid bigint)");
    }

    /** Starts one; it is connected by {@code open}. */
    public static JavaProcess start() {
        return JavaProgram.of(PostgresTurns.class).heap("64m").start();
    }

    public static JavaProcess connected(String url) {
        JavaProcess client = start();
        client.ask("open " + url, "open");
        return client;
    }

    /** The other process. */
    public static void main(String[] args) throws Exception {
        TurnTaker.obey(url -> new TurnTaker.Place(
                LockClient.on(PostgresStore.open(url, PostgresConfig.DEFAULT), ClientConfig.DEFAULT),
                LEASE,
                new TableCounter(Postgres.connect(url))));
    }

    private record TableCounter(Connection database) implements TurnTaker.Counter {
        @Override
        public long value() throws SQLException {
            try (Statement statement = database.createStatement();
                    ResultSet row = statement.executeQuery("select value from counter")) {
                row.next();
                return row.getLong(1);
            }
        }

        @Override
        public boolean write(long next, long token) throws SQLException {
            // The count and its entry in one statement: a process that is killed leaves both or neither.
            try (PreparedStatement statement =
                    database.prepareStatement("with written as (update counter set value = ?, token = ? where token < ?"
                            + " returning token) insert into journal (token, pid) select token, ? from written")) {
                statement.setLong(1, next);
                statement.setLong(2, token);
                statement.setLong(3, token);
                statement.setLong(4, ProcessHandle.current().pid());
                return statement.executeUpdate() == 1;
            }
        }

        @Override
        public void close() throws SQLException {
            database.close();
        }
    }
}
