package dev.holdfast.jdbc.mariadb;

import dev.holdfast.engine.Machine;
import dev.holdfast.jdbc.Mariadb;
import dev.holdfast.jdbc.MariadbConfig;
import dev.holdfast.jdbc.Told;
import dev.holdfast.jdbc.connection.ServerSettings;
import dev.holdfast.jdbc.table.Utc;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.testkit.SettableClock;
import dev.holdfast.testkit.StoreFixture;
import dev.holdfast.testkit.TestMachine;
import dev.holdfast.testkit.servers.CuttableLine;
import dev.holdfast.testkit.servers.MariadbServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;

/**
 * A database of its own on a real server, reached over a line that can be cut. The server's clock is a row of a table there, so
 * that time passes only when told to, for it and for the machines alike.
 */
final class MariadbFixture implements StoreFixture {
    private static final int STEPS = 8;
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final SettableClock clock = new SettableClock(START, this::setServerClock);
    private final TestMachine machine = new TestMachine(clock, 42);
    private final UnaryOperator<RecordStore> opened;
    private final CuttableLine line;
    private final String url;
    private final Connection clockHand;

    private MariadbFixture(MariadbServer server, UnaryOperator<RecordStore> opened) throws SQLException {
        this.opened = opened;
        line = new CuttableLine(server.port());
        String database = server.freshDatabase();
        url = MariadbServer.url(line.port(), database);
        clockHand = server.connect(database);
        sql("create table test_clock (now datetime(6))");
        sql("insert into test_clock values ('" + Utc.text(START) + "')");
    }

    /** The store as it is. */
    static MariadbFixture plain() throws SQLException {
        return new MariadbFixture(Mariadb.server(), store -> store);
    }

    /** The store for clients that wait for each other. */
    static MariadbFixture told() throws SQLException {
        Told.Listeners listeners = new Told.Listeners();
        return new MariadbFixture(Mariadb.server(), store -> new Told(store, listeners));
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
        ServerSettings settings = Mariadb.settings(MariadbConfig.DEFAULT.withTime(clock));
        return opened.apply(new MariadbDatabase(
                        MariadbDriver.source(url, settings), url, settings, "(select now from test_clock)")
                .locks());
    }

    @Override
    public Machine machine() {
        return machine.peer();
    }

    @Override
    public void advance(Duration time) {
        for (int step = 0; step < STEPS; step++) {
            machine.advance(time.dividedBy(STEPS));
            LockSupport.parkNanos(1_000_000);
        }
        machine.advance(time.minus(time.dividedBy(STEPS).multipliedBy(STEPS)));
    }

    private void setServerClock(Duration passed) {
        sql("update test_clock set now = '" + Utc.text(START.plus(passed)) + "'");
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
    }
}
