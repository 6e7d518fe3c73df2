package dev.holdfast.bench.peers.contender;

import dev.holdfast.bench.Load;
import java.time.Duration;
import java.util.Optional;

/**
 * One lock library, connected to its server. For any number of threads; a lock is released by the thread that took it, since some of the
 * libraries want that.
 */
public interface Contender extends AutoCloseable {
    /** How long a lock is promised to a holder that does not renew it. */
    Duration LEASE = Duration.ofSeconds(30);

    /** Takes the lock, waiting up to this long in the library's own way; empty if it was not free in time. */
    Optional<Held> take(String name, Duration wait) throws Exception;

    @Override
    void close();

    interface Held {
        /** Gives it back, confirmed by the server. */
        void release() throws Exception;
    }

    /** A lock that is held and whose lease can be renewed by a call. */
    record Renewable(Load.Cycle renewal, Held held) implements Held {
        /** Begins the lease again, confirmed by the server. */
        public void renew() throws Exception {
            renewal.run();
        }

        @Override
        public void release() throws Exception {
            held.release();
        }
    }
}
