package dev.holdfast;

import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.Token;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * A lock that is held. The lease owns it, not the thread: it may be handed to others and closed anywhere; safe
 * for any thread.
 *
 * <p>Validity is judged from the start of the last good request plus the lease minus a margin, on the monotonic and on the
 * wall clock, so it ends here before anybody else is granted the lock (a force-unlock excepted: there only the token
 * protects). Between a check and the effect it guards a process can be paused for any time: let the resource check the
 * {@link #token()}.
 */
public interface Lease extends AutoCloseable {
    /** What is held; the first in order, when several locks were taken together. */
    LockKey key();

    /** The single leases of several locks that were taken together, each with its own key and token; else only itself. */
    default List<Lease> each() {
        return List.of(this);
    }

    /** Names this acquisition; the right to release it. Keep it secret. */
    LeaseId leaseId();

    /** Above every earlier holder's, for ever. The resource refuses anything below the highest it has seen. */
    Token token();

    /** When it ends at the store unless renewed; empty if never. */
    Optional<Instant> expiresAt();

    /** Whether the lock is certainly still held. */
    boolean isValid();

    /**
     * Does nothing while the lock is certainly held.
     *
     * @throws LeaseLostException otherwise
     */
    void ensureValid();

    /** How long it is certainly held if no renewal succeeds; zero when it is not. */
    Duration remaining();

    /** Why it was lost; empty while it is held and after an ordinary release. */
    Optional<LostReason> lostFor();

    /** Calls the listener exactly once if the lease is lost, even if it is lost already; never after a release. */
    void onLost(Consumer<LostReason> listener);

    /**
     * Releases it; true if it was still held.
     *
     * @throws dev.holdfast.spi.StoreException if the store failed: it then ends by itself at {@link #expiresAt()}
     * @throws dev.holdfast.failure.ClientClosedException if the client is closed: the same
     */
    boolean release();

    /** Releases it without using the calling thread. */
    CompletableFuture<Boolean> releaseAsync();

    /**
     * Makes it last at least this long from now, 100 ms to 24 h; it is renewed for that length from then on. Never shortens it. False if it
     * is not held any more.
     *
     * @throws dev.holdfast.spi.StoreException if the store failed: the lease is as long as it was, or as asked for
     * @throws dev.holdfast.failure.ClientClosedException if the client is closed: the lease is as long as it was, and not renewed any more
     */
    boolean extend(Duration lease);

    /**
     * The same with another minimum hold, which counts from now and replaces the one before: if the lease is released sooner, the lock stays
     * busy until then, even if this process ends. It may reach up to 24 h after the grant; zero for none. The lease lasts at least as long
     * as asked for, and as long as it did.
     *
     * @throws dev.holdfast.spi.StoreException if the store failed: the lease and its minimum hold are as they were, or as asked for
     * @throws dev.holdfast.failure.ClientClosedException if the client is closed: they are as they were, and it is not renewed any more
     */
    boolean extend(Duration lease, Duration minHold);

    /**
     * Leaves the release to the end of a transaction, so that the next holder sees what it wrote: before the commit the
     * lease is checked, and when the transaction is over, committed or not, the lease is released. {@link #close()}
     * does nothing from then on, so the lease may be used in a try-with-resources inside the transaction;
     * {@link #release()} still releases at once.
     *
     * <p>The lock protects what is read after it was granted. Ask for it before the first statement of the transaction,
     * or read with the isolation level READ COMMITTED. A transaction whose end is never reported keeps the lock until
     * the client is closed.
     *
     * @throws LeaseLostException if it is not valid any more
     * @throws RuntimeException what the transaction throws when it cannot be joined; the lease is then released
     */
    void releaseAfter(Transaction transaction);

    /**
     * A transaction of a framework that reports its end, such as Spring's through a {@code TransactionSynchronization}
     * or that of JTA through a {@code Synchronization}.
     */
    @FunctionalInterface
    interface Transaction {
        /**
         * Arranges that both are called, by whatever thread.
         *
         * @param beforeCommit called before the commit; if it throws, the transaction is rolled back
         * @param afterEnd called once the transaction is over, committed or rolled back; never throws
         */
        void onEnd(Runnable beforeCommit, Runnable afterEnd);
    }

    /**
     * Releases it, unless that was left to a transaction ({@link #releaseAfter}). A store that fails is logged, not thrown: the work is done,
     * and the lease ends by itself.
     */
    @Override
    void close();
}
