package dev.holdfast.testkit;

import dev.holdfast.engine.Machine;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.spi.RecordStore;
import java.time.Duration;
import java.time.Instant;

/** The memory store in a time that passes only when told to: the fastest and most repeatable fixture. */
public final class MemoryFixture implements StoreFixture {
    private final SettableClock clock = new SettableClock(Instant.parse("2026-01-01T00:00:00Z"));
    private final TestMachine machine;
    private final MemoryStore store = MemoryStore.shared(clock);

    /** An empty store; the seed decides lease ids and back-offs of its machines. */
    public MemoryFixture(long seed) {
        machine = new TestMachine(clock, seed);
    }

    /** The clock that {@link #advance} moves. */
    public SettableClock clock() {
        return clock;
    }

    @Override
    public RecordStore open() {
        return store;
    }

    @Override
    public Machine machine() {
        return machine.peer();
    }

    @Override
    public void advance(Duration time) {
        machine.advance(time);
    }

    @Override
    public boolean skipsTime() {
        return true;
    }

    @Override
    public boolean endsOnClose() {
        return false;
    }

    @Override
    public void close() {
        store.close();
    }
}
