package dev.holdfast;

import dev.holdfast.engine.EventFeed;
import dev.holdfast.engine.LockEngine;
import dev.holdfast.engine.machine.Calling;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.Note;
import dev.holdfast.rules.Command;
import dev.holdfast.spi.EventLog;
import dev.holdfast.spi.RecordStore;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;

/**
 * Locks shared by processes.
 *
 * <p>A granted lock is a {@link Lease}: the lease, not the thread, owns it, and it is renewed until it is closed. If it
 * cannot be renewed it says so ({@link Lease#isValid()}, {@link Lease#onLost}) before anybody else can be granted the lock;
 * its {@link Lease#token()} lets the protected resource refuse a holder that does not look.
 *
 * <p>That somebody else has the lock is a value ({@link Attempt.Busy}) or, from the methods that wait,
 * {@link LockBusyException}. A store that fails is a {@link dev.holdfast.spi.StoreException}: never busy, never free.
 *
 * <p>Safe for any thread. One client per process and store is enough, and best: it writes many locks at once.
 */
public final class LockClient implements AutoCloseable {
    private final LockService service;
    private final ClientConfig config;
    private final Inspector inspector;

    private LockClient(LockService service, ClientConfig config) {
        this.service = service;
        this.config = config;
        this.inspector = new Inspector(service, config);
    }

    /**
     * Connects to the store or server with this URL: {@code memory:}, {@code sqlite:path}, and what else is on the class
     * path, such as {@code https://locks.example.com} with holdfast-client.
     *
     * <p>A store that is not there yet, or too busy, is waited for: 30 s, or as long as the URL says ({@code ?connect_wait=10s}). What
     * waiting cannot mend, such as a wrong password, is told at once. A server is not asked anything before the first call.
     *
     * @throws IllegalArgumentException if nothing there understands the URL
     * @throws dev.holdfast.spi.StoreException if the store cannot be opened
     */
    public static LockClient connect(String url) {
        return connect(url, ClientConfig.DEFAULT);
    }

    /** Connects with other than the usual settings. */
    public static LockClient connect(String url, ClientConfig config) {
        for (Connector connector : ServiceLoader.load(Connector.class)) {
            if (connector.accepts(url)) {
                return on(connector.connect(url, config), config);
            }
        }
        return on(Stores.open(url, config.connectWait()), config);
    }

    /** Locks on a store that is already open; it is closed with the client. */
    public static LockClient on(RecordStore store, ClientConfig config) {
        return on(LockEngine.start(store, config.engine()), config);
    }

    /** Locks on an engine that is already running; it is closed with the client. */
    public static LockClient on(LockEngine engine, ClientConfig config) {
        return on(LockService.of(engine, config.engine()), config);
    }

    /** Locks of a service that is already running; it is closed with the client. */
    public static LockClient on(LockService service, ClientConfig config) {
        return new LockClient(service, config);
    }

    // ---- taking a lock, waiting for it

    /** Takes the lock, waiting up to 30 s. */
    public Lease acquire(String name) throws InterruptedException {
        return acquire(key(name), o -> {});
    }

    /** Takes the lock, waiting as long as the options say (30 s by default). */
    public Lease acquire(String name, Consumer<AcquireOptions> options) throws InterruptedException {
        return acquire(key(name), options);
    }

    /**
     * Takes the lock, waiting as long as the options say (30 s by default), in fair order.
     *
     * @throws LockBusyException if it was not free in time, saying who holds it
     * @throws IllegalStateException if the client is closed, also while waiting
     * @throws InterruptedException if the thread is interrupted; no place in the queue is left behind
     */
    public Lease acquire(LockKey key, Consumer<AcquireOptions> options) throws InterruptedException {
        AcquireOptions asked = asked(AcquireOptions.DEFAULT_WAIT, options);
        return takeFor(key, asked, asked.wait).orThrow(key);
    }

    // ---- taking a lock, or not

    /** Takes the lock if it is free. */
    public Attempt<Lease> tryAcquire(String name) throws InterruptedException {
        return tryAcquire(key(name), o -> {});
    }

    /** Takes the lock if it is free, or becomes free while it waits as long as the options say (not at all by default). */
    public Attempt<Lease> tryAcquire(LockKey key, Consumer<AcquireOptions> options) throws InterruptedException {
        return tryHold(key, options).map(lease -> lease);
    }

    Attempt<HeldLease> tryHold(LockKey key, Consumer<AcquireOptions> options) throws InterruptedException {
        AcquireOptions asked = asked(Duration.ZERO, options);
        return takeFor(key, asked, asked.wait);
    }

    Attempt<HeldLease> takeFor(LockKey key, AcquireOptions asked, Duration wait) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted before asking for lock " + key);
        }
        Question question = new Question(service, config.owner(), key, asked, wait);
        question.ask(Calling.BLOCKING);
        try {
            return held(key, asked, question.answer().get());
        } catch (InterruptedException e) {
            question.cancel();
            throw e;
        } catch (ExecutionException e) {
            throw Failures.rethrown(e);
        }
    }

    private Attempt<HeldLease> held(LockKey key, AcquireOptions asked, Attempt<LockService.Grant> answer) {
        return answer.map(grant -> new HeldLease(service, key, grant, asked.renew));
    }

    /**
     * Like {@link #tryAcquire(LockKey, Consumer)}, without using the calling thread. Cancelling the future gives up the place,
     * or the lock if it was granted meanwhile.
     */
    public CompletionStage<Attempt<Lease>> acquireAsync(LockKey key, Consumer<AcquireOptions> options) {
        AcquireOptions asked = asked(Duration.ZERO, options);
        Question question = new Question(service, config.owner(), key, asked, asked.wait);
        question.ask(Calling.ASYNC);
        CompletableFuture<Attempt<Lease>> told = Failures.relayed(
                question.answer(), answer -> held(key, asked, answer).map(lease -> lease), service.machine());
        Failures.onCancel(told, question::cancel);
        return told;
    }

    // ---- several locks at once

    /**
     * Takes all these locks or none, waiting up to what the options say in all (30 s by default). Locks of different records
     * are taken in one fixed order, so that callers who want the same locks never wait for each other.
     *
     * @throws LockBusyException if one was not free in time; those already taken are given back
     */
    public Lease acquireAll(Collection<LockKey> keys, Consumer<AcquireOptions> options) throws InterruptedException {
        return new AllOf(this, service.machine().time(), asked(AcquireOptions.DEFAULT_WAIT, options)).take(keys);
    }

    // ---- working under a lock

    /** Runs the work if the lock is free. */
    public <T> Attempt<T> tryRun(String name, Work<T> work) throws Exception {
        return tryRun(key(name), o -> {}, work);
    }

    /**
     * Runs the work under the lock if it is free, or becomes free while it waits as long as the options say (not at all by
     * default), and releases it afterwards whatever happens.
     *
     * @return {@link Attempt.Done} with the work's value; {@link Attempt.Busy} if it was not run; {@link Attempt.Lost} if the
     *     lease was lost while it ran, so that another may have run at the same time
     * @throws Exception what the work throws
     */
    public <T> Attempt<T> tryRun(LockKey key, Consumer<AcquireOptions> options, Work<T> work) throws Exception {
        Attempt<HeldLease> taken = tryHold(key, options);
        if (!(taken instanceof Attempt.Done<HeldLease> done)) {
            return taken.map(lease -> {
                throw new IllegalStateException("not reached: no lease to map");
            });
        }
        try (HeldLease lease = done.value()) {
            T value = work.run(lease);
            Optional<LostReason> lost = lease.afterWork(Command.Ending.RELEASED);
            return lost.isPresent() ? new Attempt.Lost<>(lost.get()) : new Attempt.Done<>(value);
        }
    }

    /** Does the work of this generation once among all processes; see {@link #runOnce(LockKey, String, Consumer, Work)}. */
    public Once runOnce(String name, String generation, Work<?> work) throws Exception {
        return runOnce(key(name), generation, o -> {}, work);
    }

    /**
     * Does the work once per generation: the first comes to do it, the others wait (5 min, unless the options say otherwise)
     * until it is done and then skip it, and can see that it was completed, by whom and when. If the work throws, or its process dies, the next one does it.
     *
     * @throws Exception what the work throws
     */
    public Once runOnce(LockKey key, String generation, Consumer<AcquireOptions> options, Work<?> work)
            throws Exception {
        return new OnceOnly(this, service, key, generation).run(options, work);
    }

    // ---- by lease id alone

    /** Renews the lease with this id, for another lease of the same or the given length; {@link Attempt.Lost} if it is not held. */
    public CompletionStage<Attempt<Holder>> renew(LockKey key, LeaseId leaseId, Optional<Duration> lease) {
        return Failures.relayed(service.renew(key.record(), leaseId, lease), told -> told, service.machine());
    }

    /** Releases the lease with this id, or its place in the queue; false if it neither held nor waited. */
    public CompletionStage<Boolean> release(LockKey key, LeaseId leaseId) {
        return Failures.relayed(service.release(key.record(), leaseId), told -> told, service.machine());
    }

    /**
     * Writes something about what the lock protects into the history of the lock. Completes with false where that is not
     * possible, as at a server, which notes only what happens there.
     */
    public CompletionStage<Boolean> remember(LockKey key, Note note) {
        return Failures.relayed(service.remember(key.record(), note), told -> told, service.machine());
    }

    // ---- looking

    /** Who holds what, who waits, what happened; and force-unlock. */
    public Inspector inspect() {
        return inspector;
    }

    /**
     * Calls the listener for every event of every lock that happens after this returns, one at a time, until closed. Stores
     * without a history tell only of this process. A listener that is far too slow is dropped.
     */
    public Subscription watch(Consumer<EventLog.StoredEvent> listener) {
        EventFeed.Feed feed = service.watch(listener);
        Failures.join(feed.ready());
        return feed::close;
    }

    /** Ends calls to a listener when closed. */
    public interface Subscription extends AutoCloseable {
        @Override
        void close();
    }

    /** What is done under a lock. */
    @FunctionalInterface
    public interface Work<T> {
        /** Does it. The lease may be lost meanwhile: look at it before each effect, or pass on its token. */
        T run(Lease lease) throws Exception;
    }

    // ---- end

    /**
     * Stops intake and gives up places in queues. Leases still open are not released under the work that may be using them:
     * they say lost, and expire at the store by themselves. Close leases first.
     */
    @Override
    public void close() {
        service.close();
    }

    private LockKey key(String name) {
        return LockKey.of(config.namespace(), name);
    }

    private static AcquireOptions asked(Duration wait, Consumer<AcquireOptions> options) {
        AcquireOptions asked = new AcquireOptions(wait);
        options.accept(asked);
        return asked;
    }
}
