package dev.holdfast.test;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Attempt;
import dev.holdfast.ClientConfig;
import dev.holdfast.Holder;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.LockView;
import dev.holdfast.internal.engine.leases.KeptLease;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.Token;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Locks for tests of code that uses a {@link LockClient}: real clients and engines on locks in memory, with a clock that stands still until
 * the test moves it. Leases are renewed and expire, and waits end, at their exact times; nothing sleeps.
 *
 * <pre>
 *   FakeLocks locks = new FakeLocks();
 *   Report report = new Report(locks.client());        // the code under test
 *   Rival other = locks.busy("report");                // somebody else has the lock
 *   assertThrows(LockBusyException.class, report::run);
 * </pre>
 *
 * <p><b>Waiting.</b> A call that waits for a lock on the test's own thread moves the clock itself, as far as it must: until it has the lock
 * or its time is up. A call on another thread waits until the test moves the clock with {@link #advance} or frees the lock; if nobody moves
 * it for 30 s of real time, the call fails and says so. {@link #awaitWaiting} tells when another thread has come to wait. The test's thread
 * is the one that made this object, or last changed something with it.
 *
 * <p><b>Callbacks.</b> Listeners, and what follows the futures of asynchronous calls, run on the thread that brings them about, such as the
 * test's in {@code advance}, and have run when it returns. They may use locks, but must not wait for the test. What they throw is thrown by
 * {@link #close()}.
 *
 * <p>Safe for any thread.
 */
public final class FakeLocks implements AutoCloseable {
    /** How long other threads wait, in real time, while nobody moves the clock: longer than a test on a slow machine needs to come by. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    /** A client hears of a force-unlock within a twentieth of a second after its last renewal. */
    private static final Duration HEARD_WITHIN = Duration.ofMillis(100);
    /** Between two looks whether another thread has come to wait, in real time. */
    private static final long LOOK_NANOS = 1_000_000;

    private final ClientConfig config;
    private final FakeTime time;
    private final Duration patience;
    private final MemoryStore store;
    /** Looks and forces: nothing is ever wrong with it. */
    private final FakeProcess outside;

    private final FakeProcess main;
    private final Map<String, FakeProcess> others = new LinkedHashMap<>();
    private final List<Rival> rivals = new ArrayList<>();
    private @Nullable Cut outage;

    /** No lock is held; the client has the usual settings. */
    public FakeLocks() {
        this(ClientConfig.DEFAULT.withOwner("client-under-test"));
    }

    /** The same for clients with other settings, such as a namespace or a listener. */
    public FakeLocks(ClientConfig config) {
        this(config, PATIENCE);
    }

    FakeLocks(ClientConfig config, Duration patience) {
        this.config = config;
        this.patience = patience;
        this.time = new FakeTime(patience);
        this.store = MemoryStore.shared(time.clock());
        this.outside = new FakeProcess(time, store, ClientConfig.DEFAULT.withOwner("operator-of-the-test"));
        this.main = new FakeProcess(time, store, config);
    }

    // ---- who uses locks

    /** The client under test; always the same. */
    public LockClient client() {
        return main.client();
    }

    /** A client in another process, such as a second instance of the code under test; the same for the same owner. */
    public synchronized LockClient client(String owner) {
        return others.computeIfAbsent(owner, name -> {
                    FakeProcess other = new FakeProcess(time, store, config.withOwner(name));
                    if (outage != null) {
                        other.line().cut(outage.how);
                    }
                    return other;
                })
                .client();
    }

    /** Lets somebody else hold the lock of this name: see {@link #busy(LockKey, Consumer)}. */
    public Rival busy(String name) {
        return busy(client().key(name), o -> {});
    }

    /** Lets somebody else hold this lock: see {@link #busy(LockKey, Consumer)}. */
    public Rival busy(LockKey key) {
        return busy(key, o -> {});
    }

    /**
     * Lets somebody else hold this lock, in the way the options say: owner, reason, shared, the length of the lease. It is renewed until
     * {@link Rival#free()} or {@link Rival#die()}; outages do not reach it.
     *
     * @throws IllegalStateException if it is held already
     */
    public Rival busy(LockKey key, Consumer<AcquireOptions> options) {
        time.taken();
        FakeProcess process = new FakeProcess(time, store, ClientConfig.DEFAULT.withOwner("somebody-else"));
        Attempt<Lease> taken = process.client().tryAcquireUninterruptibly(key, options);
        if (!(taken instanceof Attempt.Done<Lease> done)) {
            process.close();
            throw new IllegalStateException("Lock '" + key.name() + "' cannot be made busy, it is already: "
                    + holders(key).stream().map(Holder::owner).toList());
        }
        Rival rival = new Rival(time, process, done.value());
        synchronized (this) {
            rivals.add(rival);
        }
        return rival;
    }

    // ---- time

    /** Lets time pass: leases are renewed or expire and waits end meanwhile, each at its own time, and callbacks have run. */
    public void advance(Duration length) {
        time.taken();
        time.advance(length);
    }

    /** What time it is. */
    public Instant now() {
        return time.clock().wall();
    }

    /** The same as a clock, in UTC, for code under test that takes one. */
    public Clock clock() {
        return new SameTime(ZoneOffset.UTC);
    }

    private final class SameTime extends Clock {
        private final ZoneId zone;

        SameTime(ZoneId zone) {
            this.zone = zone;
        }

        @Override
        public ZoneId getZone() {
            return zone;
        }

        @Override
        public Clock withZone(ZoneId other) {
            return new SameTime(other);
        }

        @Override
        public Instant instant() {
            return now();
        }
    }

    /**
     * Waits, in real time, until so many callers wait for the lock of this name: code on other threads that the test wants to see waiting
     * before it goes on.
     *
     * @throws IllegalStateException if they have not come within 30 s
     */
    public void awaitWaiting(String name, int callers) {
        awaitWaiting(client().key(name), callers);
    }

    /** The same for this lock. */
    public void awaitWaiting(LockKey key, int callers) {
        time.taken();
        long start = System.nanoTime();
        while (look(key).waiters().size() < callers) {
            if (System.nanoTime() - start > patience.toNanos()) {
                throw new IllegalStateException(look(key).waiters().size() + " callers wait for lock '" + key.name()
                        + "' after " + patience.toSeconds() + " s, not " + callers);
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    // ---- what goes wrong

    /**
     * The store cannot be reached until this is closed: every call of the clients fails at once with a
     * {@link dev.holdfast.spi.StoreUnavailableException}. Leases they hold are not renewed, and are lost when their time is over.
     */
    public Outage outage() {
        return cut(Line.Fault.OUTAGE);
    }

    /**
     * Answers of the store get lost until this is closed: every call of the clients that changes something fails at once with an
     * {@link dev.holdfast.spi.OutcomeUnknownException}, and what only looks as in an {@link #outage()}. Nothing was changed, which the
     * caller cannot know.
     */
    public Outage unclear() {
        return cut(Line.Fault.UNCLEAR);
    }

    private synchronized Outage cut(Line.Fault how) {
        time.taken();
        if (outage != null) {
            throw new IllegalStateException("The store cannot be reached already; close the outage before the next");
        }
        Cut cut = new Cut(how);
        outage = cut;
        clients().forEach(process -> process.line().cut(how));
        return cut;
    }

    private final class Cut implements Outage {
        private final Line.Fault how;

        Cut(Line.Fault how) {
            this.how = how;
        }

        @Override
        public void close() {
            time.taken();
            synchronized (FakeLocks.this) {
                if (outage == this) {
                    outage = null;
                    clients().forEach(process -> process.line().mend());
                }
            }
        }
    }

    /** The store cannot be reached until this is closed. */
    public interface Outage extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * The process of {@link #client()} stands still this long, as if its machine slept: its leases are not renewed, while others go on and
     * may take its locks. Then it goes on, and finds out.
     */
    public void pause(Duration length) {
        time.taken();
        main.pause(length);
    }

    /** Takes the lock of this name away from the client that holds it: see {@link #lose(LockKey, LostReason)}. */
    public void lose(String name, LostReason reason) {
        lose(client().key(name), reason);
    }

    /**
     * Takes a lock away from the client that holds it, in the way that leads to this reason. When it returns, the lease is lost, and its
     * listeners were told.
     *
     * <ul>
     *   <li>{@link LostReason#FORCED}: an operator ends it by force. The client hears of it at once, or 50 ms after its last renewal; one
     *       whose lease is not renewed hears of it only when it is released.
     *   <li>{@link LostReason#PAUSED}: its process stands still until the lease is over.
     *   <li>{@link LostReason#STORE_UNREACHABLE}: its process cannot reach the store until the lease is over.
     *   <li>{@link LostReason#EXPIRED}: time passes until the lease is over, which is taken without renewal.
     * </ul>
     *
     * All but the first let the time pass that is left of the lease, 20 to 30 s by default.
     *
     * @throws IllegalStateException if no client holds it
     * @throws IllegalArgumentException if there is no such way to lose this lease
     */
    public void lose(LockKey key, LostReason reason) {
        time.taken();
        FakeProcess process = holding(key);
        KeptLease lease = process.holding(key).get(0);
        boolean renews = !lease.hold().terms().renewEvery().isZero();
        Duration left = Duration.between(now(), lease.hold().expiresAt()).plusMillis(1);
        switch (reason) {
            case FORCED -> force(key, process);
            case PAUSED -> {
                check(reason, renews, "a lease that is not renewed ends by EXPIRED");
                process.pause(left);
            }
            case STORE_UNREACHABLE -> {
                check(reason, renews, "a lease that is not renewed ends by EXPIRED");
                unreachable(process, left);
            }
            case EXPIRED -> {
                check(reason, !renews, "a lease that is renewed ends by PAUSED, STORE_UNREACHABLE or FORCED");
                time.advance(left);
            }
            default -> check(reason, false, "lose supports FORCED, PAUSED, STORE_UNREACHABLE and EXPIRED");
        }
    }

    private static void check(LostReason reason, boolean possible, String instead) {
        if (!possible) {
            throw new IllegalArgumentException("This lease cannot be lost by " + reason + ": " + instead);
        }
    }

    private void force(LockKey key, FakeProcess process) {
        for (KeptLease lease : process.holding(key)) {
            CompletableFuture<LostReason> heard = new CompletableFuture<>();
            lease.measured(heard::complete);
            outside.client()
                    .inspect()
                    .forceUnlock(key, lease.hold().token(), "lost in a test")
                    .orThrow();
            if (!lease.hold().terms().renewEvery().isZero()) {
                time.advanceUntil(heard, HEARD_WITHIN);
            }
        }
    }

    private void unreachable(FakeProcess process, Duration length) {
        Optional<Line.Fault> before = process.line().fault();
        process.line().cut(Line.Fault.OUTAGE);
        try {
            time.advance(length);
        } finally {
            before.ifPresentOrElse(process.line()::cut, process.line()::mend);
        }
    }

    private FakeProcess holding(LockKey key) {
        return clients().stream()
                .filter(process -> !process.holding(key).isEmpty())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("No client holds lock '" + key.name()
                        + "', so none can lose it; it is "
                        + (isHeld(key) ? "held by " + holders(key).get(0).owner() : "free")));
    }

    private synchronized List<FakeProcess> clients() {
        List<FakeProcess> all = new ArrayList<>(List.of(main));
        all.addAll(others.values());
        return all;
    }

    // ---- looking, also in an outage

    /** Whether anybody holds the lock of this name. */
    public boolean isHeld(String name) {
        return isHeld(client().key(name));
    }

    /** Whether anybody holds this lock or a part of it. */
    public boolean isHeld(LockKey key) {
        return !holders(key).isEmpty();
    }

    /** Who holds the lock of this name; the first, if several share it. */
    public Optional<Holder> holder(String name) {
        return holder(client().key(name));
    }

    /** Who holds this lock or a part of it; the first, if several do. */
    public Optional<Holder> holder(LockKey key) {
        return holders(key).stream().findFirst();
    }

    private List<Holder> holders(LockKey key) {
        return look(key).holders().stream()
                .filter(holder -> holder.paths().stream().anyMatch(path -> path.overlaps(key.path())))
                .toList();
    }

    /** The last token that was given out for the lock of this name. */
    public Token latestToken(String name) {
        return latestToken(client().key(name));
    }

    /** The last token that was given out for this lock. */
    public Token latestToken(LockKey key) {
        return look(key).latestToken();
    }

    /** Everything about this lock: who holds, who waits, what was done under it. */
    public LockView look(LockKey key) {
        return outside.client().inspect().get(key);
    }

    /** The locks that clients hold and have not released, not those of rivals. */
    public List<LockKey> openLeases() {
        return clients().stream()
                .flatMap(process -> process.openLeases().stream())
                .map(lease ->
                        new LockKey(lease.key(), lease.hold().scope().paths().get(0)))
                .toList();
    }

    /**
     * Does nothing if the clients have released all they held.
     *
     * @throws AssertionError otherwise, naming the locks
     */
    public void assertAllReleased() {
        List<LockKey> open = openLeases();
        if (!open.isEmpty()) {
            throw new AssertionError("Locks were taken and not released: " + open
                    + ". Close each lease, for example with try (Lease lease = ...)");
        }
    }

    // ---- end

    /**
     * Ends all clients and rivals. Leases still open say that they are lost.
     *
     * @throws AssertionError if a listener, or what followed an answer, has thrown; a real client would only have logged it
     */
    @Override
    public void close() {
        synchronized (this) {
            rivals.forEach(Rival::die);
        }
        for (FakeProcess process : clients()) {
            process.line().mend(); // whoever waits leaves the queue
            process.close();
        }
        outside.close();
        List<Throwable> thrown = time.work().thrown();
        if (!thrown.isEmpty()) {
            AssertionError error = new AssertionError("A listener of a lock failed: " + thrown.get(0), thrown.get(0));
            thrown.stream().skip(1).forEach(error::addSuppressed);
            throw error;
        }
    }
}
