package dev.holdfast.jdbc.postgres;

import dev.holdfast.engine.Machine;
import dev.holdfast.jdbc.Postgres;
import dev.holdfast.jdbc.PostgresConfig;
import dev.holdfast.jdbc.connection.ServerSettings;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.testkit.SettableClock;
import dev.holdfast.testkit.StoreFixture;
import dev.holdfast.testkit.TestMachine;
import dev.holdfast.testkit.servers.CuttableLine;
import dev.holdfast.testkit.servers.PgBouncer;
import dev.holdfast.testkit.servers.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Assumptions;

/**
 * A schema of its own on a real server, reached over a line that can be cut. The server's clock is a row of a table there, so
 * that time passes only when told to, for it and for the machines alike.
 */
final class PostgresFixture implements StoreFixture {
    private static final int STEPS = 8;
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final SettableClock clock = new SettableClock(START, this::setServerClock);
    private final TestMachine machine = new TestMachine(clock, 42);
    private final CuttableLine line;
    private final String url;
    private final Connection clockHand;
    private final Runnable end;
    private final List<RecordStore> open = new CopyOnWriteArrayList<>();

    PostgresFixture(PostgresServer server) throws SQLException {
        this(server.freshSchema(), server.port(), server.port(), () -> {});
    }

    /** A database of its own, reached through a PgBouncer of its own. */
    static PostgresFixture pooled(PostgresServer server) throws SQLException {
        Assumptions.assumeTrue(PgBouncer.program().isPresent(), "pgbouncer is not installed");
        String database = server.freshDatabase();
        PgBouncer pooler = PgBouncer.start(server, 4);
        return new PostgresFixture(server.url(database), server.port(), pooler.port(), () -> {
            pooler.close();
            server.dropDatabase(database);
        });
    }

    private PostgresFixture(String direct, int server, int reachedAt, Runnable end) throws SQLException {
        this.end = end;
        line = new CuttableLine(reachedAt);
        url = direct.replace(":" + server + "/", ":" + line.port() + "/");
        clockHand = Postgres.connect(direct);
        sql("create table test_clock (now timestamptz)");
        sql("insert into test_clock values ('" + START + "')");
    }

    private void sql(String statement) {
        try (Statement run = clockHand.createStatement()) {
            run.execute(statement);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public RecordStore open() {
        ServerSettings settings = Postgres.settings(PostgresConfig.DEFAULT.withTime(clock));
        RecordStore store = new PostgresDatabase(
                        PostgresDatabase.source(url, settings), url, settings, "(select now from test_clock)")
                .locks();
        open.add(store);
        return store;
    }

    @Override
    public Machine machine() {
        return machine.peer();
    }

    @Override
    public void advance(Duration time) {
        for (int step = 0; step < STEPS; step++) {
            step(time.dividedBy(STEPS));
            LockSupport.parkNanos(1_000_000);
        }
        step(time.minus(time.dividedBy(STEPS).multipliedBy(STEPS)));
    }

    private void step(Duration time) {
        machine.advance(time);
        // Real clocks drift apart a little in between; these do not, and the comparison with the rules is exact.
        open.forEach(store -> store.clock().measure());
    }

    private void setServerClock(Duration passed) {
        sql("update test_clock set now = '" + START.plus(passed) + "'");
    }

    @Override
    public boolean skipsTime() {
        return true;
    }

    @Override
    public Optional<Line> line() {
        return Optional.of(line);
    }

    @Override
    public void close() {
        line.close();
        try {
            clockHand.close();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        end.run();
    }
}
