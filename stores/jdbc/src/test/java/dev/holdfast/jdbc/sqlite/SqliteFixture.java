package dev.holdfast.jdbc.sqlite;

import dev.holdfast.engine.machine.Machine;
import dev.holdfast.jdbc.SqliteConfig;
import dev.holdfast.jdbc.SqliteStore;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.test.machine.SettableClock;
import dev.holdfast.test.machine.TestMachine;
import dev.holdfast.testkit.fixture.StoreFixture;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.LockSupport;

/** A file in a directory of its own, shared by all clients, in a time that passes only when told to. */
final class SqliteFixture implements StoreFixture {
    private static final int STEPS = 8;

    private final SettableClock clock = new SettableClock(Instant.parse("2026-01-01T00:00:00Z"));
    private final TestMachine machine = new TestMachine(clock, 42);
    private final Path file;

    SqliteFixture(Path directory) {
        this.file = directory.resolve("locks.db");
    }

    @Override
    public RecordStore open() {
        return SqliteStore.open(file, SqliteConfig.shared().withTime(clock));
    }

    @Override
    public Machine machine() {
        return machine.peer();
    }

    /** In steps, and with a breath after each: a thread that is at the disk must notice that time passes. */
    @Override
    public void advance(Duration time) {
        for (int step = 0; step < STEPS; step++) {
            machine.advance(time.dividedBy(STEPS));
            LockSupport.parkNanos(1_000_000);
        }
        machine.advance(time.minus(time.dividedBy(STEPS).multipliedBy(STEPS)));
    }

    @Override
    public boolean skipsTime() {
        return true;
    }

    @Override
    public void close() {}
}
