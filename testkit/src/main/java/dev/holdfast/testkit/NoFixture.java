package dev.holdfast.testkit;

import dev.holdfast.engine.Machine;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.spi.LocalTime;
import dev.holdfast.spi.RecordStore;
import java.time.Duration;
import java.time.Instant;

/** Stands where a fixture will be once the test has begun. */
enum NoFixture implements StoreFixture {
    INSTANCE;

    @Override
    public RecordStore open() {
        return MemoryStore.shared(LocalTime.SYSTEM);
    }

    @Override
    public Machine machine() {
        return new TestMachine(new SettableClock(Instant.EPOCH), 0);
    }

    @Override
    public void advance(Duration time) {}

    @Override
    public void close() {}
}
