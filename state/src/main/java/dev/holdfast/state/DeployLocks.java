package dev.holdfast.state;

import dev.holdfast.Attempt;
import dev.holdfast.Holder;
import dev.holdfast.Inspector;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.Token;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.state.deploy.DeployAttempt;
import dev.holdfast.state.deploy.DeployKey;
import dev.holdfast.state.deploy.DeployLock;
import dev.holdfast.state.deploy.DeployMetadata;
import dev.holdfast.state.deploy.LockHeld;
import dev.holdfast.state.deploy.LockInfo;
import dev.holdfast.state.deploy.LockLookup;
import dev.holdfast.state.deploy.LockNotFound;
import dev.holdfast.state.deploy.UnlockOutcome;
import dev.holdfast.state.versions.ClaimOutcome;
import dev.holdfast.state.versions.Stack;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Locks of deployments: acquire, release, heartbeat, look, force-unlock. Taking one claims the state it protects, before the caller is
 * told; see {@link StateManager}. A lock that others hold is a value ({@link LockHeld}), one that nobody holds too
 * ({@link LockNotFound}); stores that fail are exceptions, and never "held".
 */
public final class DeployLocks {
    /** How long a lock outlives its holder. */
    public static final Duration LEASE = Duration.ofHours(1);

    /** How long {@link #acquireWithRetry} waits between its attempts. */
    public static final List<Duration> BACKOFF =
            List.of(Duration.ofSeconds(5), Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofMinutes(1));

    private final LockClient locks;
    private final StateManager state;
    private final Pause pause;
    private final Clock clock;

    DeployLocks(LockClient locks, StateManager state, Pause pause, Clock clock) {
        this.locks = locks;
        this.state = state;
        this.pause = pause;
        this.clock = clock;
    }

    /** On these locks, claiming this state; both are asked at the same place. */
    public static DeployLocks of(LockClient locks, StateManager state) {
        return new DeployLocks(locks, state, Pause.SLEEP, Clock.systemUTC());
    }

    Clock clock() {
        return clock;
    }

    /** Waits between attempts. */
    @FunctionalInterface
    interface Pause {
        /** On the thread that asks. */
        Pause SLEEP = duration -> Thread.sleep(duration.toMillis());

        void forThis(Duration duration) throws InterruptedException;
    }

    // ---- taking

    /** Takes the lock if it is free, for an hour unless renewed; it is renewed every 30 seconds. */
    public DeployAttempt acquire(DeployKey key, DeployMetadata metadata) throws InterruptedException {
        return acquire(key, metadata, LEASE);
    }

    /** The same, with another time it outlives its holder. */
    public DeployAttempt acquire(DeployKey key, DeployMetadata metadata, Duration lease) throws InterruptedException {
        Attempt<Lease> attempt = locks.tryAcquire(key.lock(), o -> {
            o.lease(lease).owner(metadata.lockedBy()).reason("deploys");
            metadata.asMap().forEach(o::metadata);
        });
        if (attempt instanceof Attempt.Done<Lease> done) {
            return claimed(key, done.value());
        }
        LockHeld now = held(key); // judged now: whether a holder looks dead is what matters to who is refused
        return now.holders().isEmpty() && attempt instanceof Attempt.Busy<Lease> busy
                ? new LockHeld(key, infos(key, busy.holders()))
                : now;
    }

    /**
     * Takes the lock; if others hold it, again after 5 s, 10 s, 30 s and 1 min.
     *
     * @throws InterruptedException if the thread is interrupted, also between attempts; nothing is left behind
     */
    public DeployAttempt acquireWithRetry(DeployKey key, DeployMetadata metadata) throws InterruptedException {
        DeployAttempt attempt = acquire(key, metadata);
        for (Duration delay : BACKOFF) {
            if (attempt instanceof DeployLock) {
                return attempt;
            }
            pause.forThis(delay);
            attempt = acquire(key, metadata);
        }
        return attempt;
    }

    private DeployAttempt claimed(DeployKey key, Lease lease) {
        DeployLock lock = new DeployLock(key, lease, locks, () -> state.showLock(key.stack()));
        ClaimOutcome claim;
        try {
            claim = state.claim(lease);
        } catch (RuntimeException | Error e) {
            lock.release(); // who could not claim must not hold
            throw e;
        }
        if (claim instanceof ClaimOutcome.Claimed) {
            return lock;
        }
        boolean stillOurs = lock.release();
        if (stillOurs) {
            throw new StoreUnusableException(
                    "The state of stack '" + key.stack()
                            + "' carries a later token than its lock has given out: locks and documents "
                            + "do not belong together, or the locks were restored from an old copy. Check both URLs",
                    null);
        }
        return held(key);
    }

    // ---- giving back and keeping

    /** Releases it, with a deadline of its own; true if it was still held. */
    public boolean release(DeployLock lock) {
        return lock.release();
    }

    /** Renews it now; false if it is not held any more, and {@link DeployLock#ensureValid()} says so from then on. */
    public boolean heartbeat(DeployLock lock) {
        return lock.heartbeat().isEmpty();
    }

    // ---- looking

    /** Whether anybody holds it, or something that excludes it. */
    public boolean isLocked(DeployKey key) {
        return getLock(key) instanceof LockInfo;
    }

    /** Who holds it; else who holds something that excludes it. */
    public LockLookup getLock(DeployKey key) {
        List<LockInfo> infos = held(key).holders();
        return infos.stream()
                .filter(it -> it.key().equals(key))
                .findFirst()
                .or(() -> infos.stream().findFirst())
                .map(LockLookup.class::cast)
                .orElseGet(() -> new LockNotFound(key));
    }

    private LockHeld held(DeployKey key) {
        return new LockHeld(key, infos(key, locks.inspect().get(key.lock()).holders()));
    }

    private static List<LockInfo> infos(DeployKey asked, List<Holder> holders) {
        return holders.stream()
                .flatMap(holder -> holder.paths().stream()
                        .filter(path -> path.overlaps(asked.path()))
                        .limit(1)
                        .map(path -> LockInfo.of(named(asked.stack(), path), holder)))
                .toList();
    }

    /** The part that is locked; the stack, if somebody locked a part by a name that no service can have. */
    static DeployKey named(Stack stack, LockPath path) {
        try {
            return new DeployKey(stack, path);
        } catch (IllegalArgumentException e) {
            return DeployKey.of(stack);
        }
    }

    /**
     * Locks of deployments, a page at a time.
     *
     * @param limit how many stacks are looked at, 1 to {@value StateManager#MAX_PAGE}
     * @param cursor from {@link Locks#next()}
     */
    public Locks listLocks(int limit, Optional<String> cursor) {
        LocalStateManager.checkLimit(limit);
        ScanRequest request =
                new ScanRequest(Optional.of(Stack.NAMESPACE), "stack:", ScanRequest.Which.ALL, cursor, limit).busy();
        Inspector.Locks page = locks.inspect().list(request);
        List<LockInfo> infos = new ArrayList<>();
        page.locks()
                .forEach(lock -> Stack.of(lock.key())
                        .ifPresent(stack -> infos.addAll(infos(DeployKey.of(stack), lock.holders()))));
        return new Locks(infos, page.next());
    }

    /** A page of locks that are held, and where the next page starts; empty at the end. */
    public record Locks(List<LockInfo> locks, Optional<String> next) {
        public Locks {
            locks = List.copyOf(locks);
        }
    }

    // ---- operators

    /**
     * Ends the lock with this token, whoever holds it.
     *
     * @param seen the token that was seen: if another holds by now, nothing happens
     * @param reason recorded with who did it
     */
    public UnlockOutcome forceUnlock(DeployKey key, Token seen, String reason) {
        Attempt<Holder> forced = locks.inspect().forceUnlock(key.lock(), seen, reason);
        state.showLock(key.stack());
        if (forced instanceof Attempt.Done<Holder> done) {
            return new UnlockOutcome.Unlocked(
                    LockInfo.of(named(key.stack(), done.value().paths().get(0)), done.value()));
        }
        LockHeld now = held(key);
        return now.holders().isEmpty() ? new LockNotFound(key) : now;
    }
}
