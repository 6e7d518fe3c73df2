package dev.holdfast.bench.peers.contender;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/** The bare loop of {@link RawUpserts}: one statement to take, one to give back; waits by asking every millisecond. */
record RawContender(RawUpserts table) implements Contender {
    @Override
    public Optional<Held> take(String name, Duration wait) throws Exception {
        String owner = OwnerNames.next();
        return BusyPolling.until(
                wait, () -> table.take(name, owner) ? Optional.of(held(name, owner)) : Optional.empty());
    }

    private Held held(String name, String owner) {
        return new Renewable() {
            @Override
            public void renew() throws SQLException {
                ours(table.renew(name, owner));
            }

            @Override
            public void release() throws SQLException {
                ours(table.give(name, owner));
            }
        };
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
