package dev.holdfast;

import dev.holdfast.internal.engine.LockEngine;
import dev.holdfast.internal.engine.machine.EngineMeter;
import dev.holdfast.internal.loading.Services;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.Note;
import dev.holdfast.model.Token;
import dev.holdfast.spi.EventLog;
import dev.holdfast.spi.RecordStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Locks shared by processes.
 *
 * <p>A granted lock is a {@link Lease}: the lease, not the thread, owns it, and it is renewed until it is closed. If it
 * cannot be renewed it says so ({@link Lease#isValid()}, {@link Lease#onLost}) before anybody else can be granted the lock;
 * its {@link Lease#token()} lets the protected resource refuse a holder that does not look.
 *
 * <p>That somebody else has the lock is a value ({@link Attempt.Busy}) or, from the methods that wait,
 * {@link LockBusyException}. A store that fails is a {@link dev.holdfast.spi.StoreException}: never busy, never free. All of them, and
 * {@link dev.holdfast.failure.ClientClosedException}, are {@link dev.holdfast.failure.HoldfastException}s.
 *
 * <p>A lock named by text alone is in the namespace of the client: {@link #key}. Every call takes a name or a {@link LockKey}, with or
 * without options.
 *
 * <p>Safe for any thread. One client per process and store is enough, and best: it writes many locks at once. It is an
 * interface so that it can be wrapped, or replaced in tests. Methods may be added, so implement it only if you can keep
 * up.
 */
public interface LockClient extends AutoCloseable {
    /**
     * Connects to the store or server with this URL: {@code memory:}, {@code sqlite:path}, and what else is on the class
     * path, such as {@code https://locks.example.com} with holdfast-client.
     *
     * <p>A store that is not there yet, or too busy, is waited for: 30 s, or as long as the URL says
     * ({@code ?connect_wait=10s}). What waiting cannot fix, such as a wrong password, is reported at once. A server is
     * not contacted before the first call.
     *
     * @throws IllegalArgumentException if nothing there understands the URL
     * @throws dev.holdfast.spi.StoreException if the store cannot be opened
     */
    static LockClient connect(String url) {
        return connect(url, ClientConfig.DEFAULT);
    }

    /** Connects with these settings instead of the defaults. */
    static LockClient connect(String url, ClientConfig config) {
        List<String> known = new ArrayList<>();
        for (Connector connector : Services.of(Connector.class)) {
            if (connector.accepts(url)) {
                return connector.connect(url, config).client(config);
            }
            known.add(connector.example());
        }
        return on(Stores.open(url, config.connectWait(), known), config);
    }

    /** Locks on a store that is already open; it is closed with the client. */
    static LockClient on(RecordStore store, ClientConfig config) {
        return LockService.of(LockEngine.start(store, config.engine(), EngineMeter.NONE, config.executor()))
                .client(config);
    }

    /** The lock of this name in the namespace of this client. */
    LockKey key(String name);

    // ---- taking a lock, waiting for it

    /** Takes the lock, waiting up to 30 s; see {@link #acquire(LockKey, Consumer)}. */
    default Lease acquire(String name) throws InterruptedException {
        return acquire(key(name), o -> {});
    }

    /** Takes the lock, waiting up to 30 s; see {@link #acquire(LockKey, Consumer)}. */
    default Lease acquire(LockKey key) throws InterruptedException {
        return acquire(key, o -> {});
    }

    /** Takes the lock, waiting as long as the options say; see {@link #acquire(LockKey, Consumer)}. */
    default Lease acquire(String name, Consumer<AcquireOptions> options) throws InterruptedException {
        return acquire(key(name), options);
    }

    /**
     * Takes the lock, waiting as long as the options say (30 s by default), in fair order.
     *
     * @throws LockBusyException if it was not free in time, saying who holds it
     * @throws dev.holdfast.failure.ClientClosedException if the client is closed, also while waiting
     * @throws InterruptedException if the thread is interrupted; no place in the queue is left behind
     */
    Lease acquire(LockKey key, Consumer<AcquireOptions> options) throws InterruptedException;

    /** The same, going on when the thread is interrupted; the interrupt is still set when it returns or throws. */
    Lease acquireUninterruptibly(LockKey key, Consumer<AcquireOptions> options);

    // ---- taking a lock, or not

    /** Takes the lock if it is free. */
    default Attempt<Lease> tryAcquire(String name) throws InterruptedException {
        return tryAcquire(key(name), o -> {});
    }

    /** Takes the lock if it is free. */
    default Attempt<Lease> tryAcquire(LockKey key) throws InterruptedException {
        return tryAcquire(key, o -> {});
    }

    /** Takes the lock if it is free, or becomes free in time; see {@link #tryAcquire(LockKey, Consumer)}. */
    default Attempt<Lease> tryAcquire(String name, Consumer<AcquireOptions> options) throws InterruptedException {
        return tryAcquire(key(name), options);
    }

    /** Takes the lock if it is free, or becomes free while it waits as long as the options say (not at all by default). */
    Attempt<Lease> tryAcquire(LockKey key, Consumer<AcquireOptions> options) throws InterruptedException;

    /** The same, going on when the thread is interrupted; the interrupt is still set when it returns or throws. */
    Attempt<Lease> tryAcquireUninterruptibly(LockKey key, Consumer<AcquireOptions> options);

    /** Takes the lock if it is free, without using the calling thread. */
    default CompletableFuture<Attempt<Lease>> acquireAsync(String name) {
        return acquireAsync(key(name), o -> {});
    }

    /** Takes the lock if it is free, without using the calling thread. */
    default CompletableFuture<Attempt<Lease>> acquireAsync(LockKey key) {
        return acquireAsync(key, o -> {});
    }

    /** Takes the lock if it is free, or becomes free in time; see {@link #acquireAsync(LockKey, Consumer)}. */
    default CompletableFuture<Attempt<Lease>> acquireAsync(String name, Consumer<AcquireOptions> options) {
        return acquireAsync(key(name), options);
    }

    /**
     * Like {@link #tryAcquire(LockKey, Consumer)}, without using the calling thread. To stop waiting, cancel, complete
     * or time out the future, or the only stage that depends on it; that gives up the place, or the lock if it has been
     * granted. What follows the future may block; see {@link ClientConfig#withExecutor}. Invalid options are reported
     * by the future, too.
     */
    CompletableFuture<Attempt<Lease>> acquireAsync(LockKey key, Consumer<AcquireOptions> options);

    // ---- several locks at once

    /** Takes all these locks or none, waiting up to 30 s; see {@link #acquireAll(Collection, Consumer)}. */
    default Lease acquireAll(Collection<LockKey> keys) throws InterruptedException {
        return acquireAll(keys, o -> {});
    }

    /**
     * Takes all these locks or none, waiting up to what the options say in all (30 s by default). Locks of different records
     * are taken in one fixed order, so that callers who want the same locks never wait for each other.
     *
     * @throws LockBusyException if one was not free in time; those already taken are given back
     */
    Lease acquireAll(Collection<LockKey> keys, Consumer<AcquireOptions> options) throws InterruptedException;

    // ---- working under a lock

    /** Does the work under the lock, waiting for it up to 30 s; see {@link #run(LockKey, Consumer, Work)}. */
    default <T extends @Nullable Object, X extends Exception> T run(String name, Work<T, X> work)
            throws X, InterruptedException {
        return run(key(name), o -> {}, work);
    }

    /** Does the work under the lock, waiting for it up to 30 s; see {@link #run(LockKey, Consumer, Work)}. */
    default <T extends @Nullable Object, X extends Exception> T run(LockKey key, Work<T, X> work)
            throws X, InterruptedException {
        return run(key, o -> {}, work);
    }

    /** Does the work under the lock; see {@link #run(LockKey, Consumer, Work)}. */
    default <T extends @Nullable Object, X extends Exception> T run(
            String name, Consumer<AcquireOptions> options, Work<T, X> work) throws X, InterruptedException {
        return run(key(name), options, work);
    }

    /**
     * Does the work under the lock, waiting for it as long as the options say (30 s by default), and releases it afterwards whatever
     * happens.
     *
     * @return the work's value
     * @throws LockBusyException if the lock was not free in time; nothing was run
     * @throws LeaseLostException if the lease was lost while the work ran: another may have run at the same time
     * @throws X what the work throws
     */
    <T extends @Nullable Object, X extends Exception> T run(
            LockKey key, Consumer<AcquireOptions> options, Work<T, X> work) throws X, InterruptedException;

    /** Does the task under the lock, waiting for it up to 30 s; like {@link #run(LockKey, Consumer, Work)}, for work without a value. */
    default <X extends Exception> void execute(String name, Task<X> task) throws X, InterruptedException {
        execute(key(name), o -> {}, task);
    }

    /** Does the task under the lock, waiting for it up to 30 s; like {@link #run(LockKey, Consumer, Work)}, for work without a value. */
    default <X extends Exception> void execute(LockKey key, Task<X> task) throws X, InterruptedException {
        execute(key, o -> {}, task);
    }

    /** Does the task under the lock; like {@link #run(LockKey, Consumer, Work)}, for work without a value. */
    default <X extends Exception> void execute(String name, Consumer<AcquireOptions> options, Task<X> task)
            throws X, InterruptedException {
        execute(key(name), options, task);
    }

    /** Does the task under the lock; like {@link #run(LockKey, Consumer, Work)}, for work without a value. */
    default <X extends Exception> void execute(LockKey key, Consumer<AcquireOptions> options, Task<X> task)
            throws X, InterruptedException {
        Token unused = run(key, options, task.asWork());
    }

    /** Does the work if the lock is free. */
    default <T extends @Nullable Object, X extends Exception> Attempt<T> tryRun(String name, Work<T, X> work)
            throws X, InterruptedException {
        return tryRun(key(name), o -> {}, work);
    }

    /** Does the work if the lock is free. */
    default <T extends @Nullable Object, X extends Exception> Attempt<T> tryRun(LockKey key, Work<T, X> work)
            throws X, InterruptedException {
        return tryRun(key, o -> {}, work);
    }

    /** Does the work if the lock is free, or becomes free in time; see {@link #tryRun(LockKey, Consumer, Work)}. */
    default <T extends @Nullable Object, X extends Exception> Attempt<T> tryRun(
            String name, Consumer<AcquireOptions> options, Work<T, X> work) throws X, InterruptedException {
        return tryRun(key(name), options, work);
    }

    /**
     * Does the work under the lock if it is free, or becomes free while it waits as long as the options say (not at all by
     * default), and releases it afterwards whatever happens.
     *
     * @return {@link Attempt.Done} with the work's value; {@link Attempt.Busy} if it was not run; {@link Attempt.Lost} if the
     *     lease was lost while it ran, so that another may have run at the same time
     * @throws X what the work throws
     */
    <T extends @Nullable Object, X extends Exception> Attempt<T> tryRun(
            LockKey key, Consumer<AcquireOptions> options, Work<T, X> work) throws X, InterruptedException;

    /** Does the task if the lock is free; {@link Attempt.Done} with the token it was done under. */
    default <X extends Exception> Attempt<Token> tryExecute(String name, Task<X> task) throws X, InterruptedException {
        return tryExecute(key(name), o -> {}, task);
    }

    /** Does the task if the lock is free; {@link Attempt.Done} with the token it was done under. */
    default <X extends Exception> Attempt<Token> tryExecute(LockKey key, Task<X> task) throws X, InterruptedException {
        return tryExecute(key, o -> {}, task);
    }

    /** Does the task if the lock is free, or becomes free in time; like {@link #tryRun(LockKey, Consumer, Work)}. */
    default <X extends Exception> Attempt<Token> tryExecute(String name, Consumer<AcquireOptions> options, Task<X> task)
            throws X, InterruptedException {
        return tryExecute(key(name), options, task);
    }

    /**
     * Does the task if the lock is free, or becomes free in time; like {@link #tryRun(LockKey, Consumer, Work)}, for work without a value.
     *
     * @return {@link Attempt.Done} with the token it was done under
     */
    default <X extends Exception> Attempt<Token> tryExecute(LockKey key, Consumer<AcquireOptions> options, Task<X> task)
            throws X, InterruptedException {
        return tryRun(key, options, task.asWork());
    }

    /** Does the task of this generation once among all processes; see {@link #runOnce(LockKey, String, Consumer, Task)}. */
    default <X extends Exception> Once runOnce(String name, String generation, Task<X> task)
            throws X, InterruptedException {
        return runOnce(key(name), generation, o -> {}, task);
    }

    /** Does the task of this generation once among all processes; see {@link #runOnce(LockKey, String, Consumer, Task)}. */
    default <X extends Exception> Once runOnce(LockKey key, String generation, Task<X> task)
            throws X, InterruptedException {
        return runOnce(key, generation, o -> {}, task);
    }

    /** Does the task of this generation once among all processes; see {@link #runOnce(LockKey, String, Consumer, Task)}. */
    default <X extends Exception> Once runOnce(
            String name, String generation, Consumer<AcquireOptions> options, Task<X> task)
            throws X, InterruptedException {
        return runOnce(key(name), generation, options, task);
    }

    /**
     * Does the task once per generation: the first caller does it, the others wait (5 min, unless the options say
     * otherwise) until it is done and then skip it, and can see that it was completed, by whom and when. If the task
     * throws, or its process dies, the next one does it. Look at what comes back: {@link Once#orThrow()}.
     *
     * @throws X what the task throws
     */
    <X extends Exception> Once runOnce(LockKey key, String generation, Consumer<AcquireOptions> options, Task<X> task)
            throws X, InterruptedException;

    // ---- by lease id alone

    /** Renews the lease with this id, for another lease of the same length; {@link Attempt.Lost} if it is not held. */
    CompletableFuture<Attempt<Holder>> renew(LockKey key, LeaseId leaseId);

    /** The same, with another length from then on. A {@link Lease} of this client does not hear of it: see {@link Lease#extend}. */
    CompletableFuture<Attempt<Holder>> renew(LockKey key, LeaseId leaseId, Duration lease);

    /** Releases the lease with this id, or its place in the queue; false if it neither held nor waited. */
    CompletableFuture<Boolean> release(LockKey key, LeaseId leaseId);

    /**
     * Writes something about what the lock protects into the history of the lock. Completes with false where that is not
     * possible, as at a server, which notes only what happens there.
     */
    CompletableFuture<Boolean> remember(LockKey key, Note note);

    // ---- looking

    /** Who holds what, who waits, what happened; and force-unlock. */
    Inspector inspect();

    /**
     * Calls the listener for every event of every lock that happens after this returns, one at a time, until closed.
     * Stores without a history report only events of this process. A listener that is far too slow is dropped.
     */
    Subscription watch(Consumer<EventLog.StoredEvent> listener);

    /** Ends calls to a listener when closed. */
    interface Subscription extends AutoCloseable {
        /** Whether events are arriving; false while the store or server is away. What happens in that time is delivered afterwards. */
        default boolean isListening() {
            return true;
        }

        /** Whether no event will ever come any more, because the store or server does not allow it now, or the listener was too slow. */
        default boolean isOver() {
            return false;
        }

        @Override
        void close();
    }

    /**
     * What is done under a lock, with a value.
     *
     * @param <T> the value
     * @param <X> what it may throw
     */
    @FunctionalInterface
    interface Work<T extends @Nullable Object, X extends Exception> {
        /** Does it. The lease may be lost meanwhile: look at it before each effect, or pass on its token. */
        T run(Lease lease) throws X;
    }

    /**
     * What is done under a lock, without a value.
     *
     * @param <X> what it may throw
     */
    @FunctionalInterface
    interface Task<X extends Exception> {
        /** Does it. The lease may be lost meanwhile: look at it before each effect, or pass on its token. */
        void run(Lease lease) throws X;

        /** The same, giving the token it was done under. */
        default Work<Token, X> asWork() {
            return lease -> {
                run(lease);
                return lease.token();
            };
        }
    }

    // ---- end

    /**
     * Accepts no more calls and gives up places in queues. Leases still open are not released, since work may be using
     * them: they report that they are lost, and expire at the store by themselves. Close leases first, or use
     * {@link #close(Duration)}.
     */
    @Override
    void close();

    /**
     * Closes in an orderly way: no more locks are granted, work that holds one may end within this time, and leases
     * still open then are released and report that they are lost ({@link dev.holdfast.model.LostReason#CLOSED}).
     */
    void close(Duration drain);
}
