package dev.holdfast.bench.peers.contender;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** The bare loop of {@link RawUpserts}: one statement to take, one to give back; waits by asking every millisecond. */
record RawContender(RawUpserts table) implements Contender {
    private static final String PROCESS = ProcessHandle.current().pid() + "-";
    private static final AtomicLong COUNT = new AtomicLong();

    @Override
    public Optional<Held> take(String name, Duration wait) throws Exception {
        // Unlike all others of this machine, at no cost to speak of.
        String owner = PROCESS + COUNT.incrementAndGet();
        return BusyPolling.until(
                wait,
                () -> table.take(name, owner)
                        ? Optional.of(new Renewable(
                                () -> ours(table.renew(name, owner)), () -> ours(table.give(name, owner))))
                        : Optional.empty());
    }

    private static void ours(boolean done) {
        if (!done) {
            throw new IllegalStateException("the raw loop lost its own lock");
        }
    }

    @Override
    public void close() {
        table.close();
    }
}
