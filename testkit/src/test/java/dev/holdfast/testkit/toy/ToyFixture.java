package dev.holdfast.testkit.toy;

import dev.holdfast.internal.engine.machine.Machine;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.Watchable;
import dev.holdfast.test.machine.SettableClock;
import dev.holdfast.test.machine.TestMachine;
import dev.holdfast.testkit.fixture.SettledStore;
import dev.holdfast.testkit.fixture.StoreFixture;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** A directory of its own, in a time that passes only when told to. */
final class ToyFixture implements StoreFixture {
    private final SettableClock clock = new SettableClock(Instant.parse("2026-01-01T00:00:00Z"));
    private final TestMachine machine = new TestMachine(clock, 42);
    private final Path directory;
    private final UnaryOperator<RecordStore> opened;

    private ToyFixture(UnaryOperator<RecordStore> opened) throws IOException {
        this.directory = Files.createTempDirectory("toy-store");
        this.opened = opened;
    }

    /** The store as it is. */
    static ToyFixture plain() throws IOException {
        return new ToyFixture(store -> store);
    }

    /** The store for engines that wait for each other: they are told of changes, because no time passes in which they could look. */
    static ToyFixture settled() throws IOException {
        List<Watchable.Listener> listeners = new CopyOnWriteArrayList<>();
        return new ToyFixture(store -> SettledStore.of(store, listeners));
    }

    @Override
    public RecordStore open() {
        return opened.apply(new ToyStore(directory, clock));
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
    public void close() {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path one : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(one);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
