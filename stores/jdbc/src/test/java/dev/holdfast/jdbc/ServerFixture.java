package dev.holdfast.jdbc;

import dev.holdfast.engine.machine.Machine;
import dev.holdfast.testkit.fixture.StoreFixture;
import dev.holdfast.testkit.machine.SettableClock;
import dev.holdfast.testkit.machine.TestMachine;
import dev.holdfast.testkit.servers.CuttableLine;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * An empty place on a real server, reached over a line that can be cut. The server's clock is a row of a table there, so that time
 * passes only when told to, for it and for the machines alike.
 */
public abstract class ServerFixture implements StoreFixture {
    /** What a store asks for the time. */
    protected static final String NOW = "(select now from test_clock)";

    private static final int STEPS = 8;
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    protected final SettableClock clock = new SettableClock(START, this::setServerClock);
    protected final CuttableLine line;
    private final TestMachine machine = new TestMachine(clock, 42);
    private final Connection clockHand;

    /**
     * On the server at this port.
     *
     * @param clockHand a connection to the place itself
     * @param timeType the type of columns for times
     */
    protected ServerFixture(int port, Connection clockHand, String timeType) {
        this.line = new CuttableLine(port);
        this.clockHand = clockHand;
        sql("create table test_clock (now " + timeType + ")");
        sql("insert into test_clock values ('" + text(START) + "')");
    }

    /** A time as the server reads it. */
    protected abstract String text(Instant time);

    private void sql(String statement) {
        try (Statement run = clockHand.createStatement()) {
            run.execute(statement);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Machine machine() {
        return machine.peer();
    }

    /** In steps, and with a breath after each: a thread that waits for the server must notice that time passes. */
    @Override
    public void advance(Duration time) {
        for (int step = 0; step < STEPS; step++) {
            step(time.dividedBy(STEPS));
            LockSupport.parkNanos(1_000_000);
        }
        step(time.minus(time.dividedBy(STEPS).multipliedBy(STEPS)));
    }

    /** Lets this much time pass. */
    protected void step(Duration time) {
        machine.advance(time);
    }

    private void setServerClock(Duration passed) {
        sql("update test_clock set now = '" + text(START.plus(passed)) + "'");
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
