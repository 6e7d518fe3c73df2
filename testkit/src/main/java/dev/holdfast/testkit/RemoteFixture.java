package dev.holdfast.testkit;

import dev.holdfast.internal.engine.machine.Machine;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.Watchable;
import dev.holdfast.spi.time.StoreClock;
import dev.holdfast.test.machine.SettableClock;
import dev.holdfast.test.machine.TestMachine;
import dev.holdfast.testkit.fixture.SettledStore;
import dev.holdfast.testkit.fixture.StoreFixture;
import dev.holdfast.testkit.fixture.TimeSteps;
import dev.holdfast.testkit.servers.CuttableLine;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A store on a real server, reached over a line that can be cut, in a time that passes only when told to: for the machines, and for the
 * server, whose answers tell {@link #clock} instead of its own.
 */
public abstract class RemoteFixture implements StoreFixture {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    /** The time of everybody here. */
    protected final SettableClock clock = new SettableClock(START);

    private final TestMachine machine = new TestMachine(clock, 42);
    private final List<StoreClock> clocks = new CopyOnWriteArrayList<>();
    private final Optional<List<Watchable.Listener>> listeners;
    private final CuttableLine line;

    /**
     * A fixture for a server on this port.
     *
     * @param settled for engines that wait for each other: each answer is there before time goes on, and all are told of each
     *     change; or else the store as it is
     */
    protected RemoteFixture(int port, boolean settled) {
        this.line = new CuttableLine(port);
        this.listeners = settled ? Optional.of(new CopyOnWriteArrayList<>()) : Optional.empty();
    }

    /** A client of the store, whose server is reached through this port. */
    protected abstract RecordStore connect(int port);

    @Override
    public final RecordStore open() {
        RecordStore store = connect(line.port());
        clocks.add(store.clock());
        return listeners.map(all -> SettledStore.of(store, all)).orElse(store);
    }

    @Override
    public final Machine machine() {
        return machine.peer();
    }

    @Override
    public final void advance(Duration time) {
        TimeSteps.pass(time, this::step);
    }

    private void step(Duration time) {
        machine.advance(time);
        // Real clocks drift apart a little in between; these do not, and the comparison with the rules is exact.
        for (StoreClock each : clocks) {
            try {
                each.measure().toCompletableFuture().join();
            } catch (CompletionException e) {
                // it was closed, or its line is cut
            }
        }
    }

    @Override
    public final boolean skipsTime() {
        return true;
    }

    @Override
    public final Optional<Line> line() {
        return Optional.of(line);
    }

    @Override
    public void close() {
        line.close();
    }
}
