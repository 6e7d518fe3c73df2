package dev.holdfast.concurrent;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Holder;
import dev.holdfast.LockClient;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.Names;
import dev.holdfast.model.Terms;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Processes of which one leads: whoever holds a lock. The others wait in its queue, in order.
 *
 * <pre>{@code
 * LeaderElection election = LeaderElection.of(locks, "scheduler");
 * try (Candidacy candidacy = election.stand(term -> {
 *     while (term.isValid()) {
 *         dispatchNext(term.token());
 *     }
 * })) {
 *     awaitShutdown();
 * }
 * }</pre>
 *
 * <p>A leader that cannot renew its lease is told that it no longer leads before another can lead; one that died is
 * succeeded when its lease has run out. A failing store is reported as such, and never as somebody else leading: nobody
 * leads then for longer than a lease.
 *
 * <p>Cannot be changed; what begins with {@code with} gives another. Safe for any thread.
 */
public final class LeaderElection {
    /** How long a leader leads without a renewal unless told otherwise: this is how long the others accept to be without one. */
    public static final Duration DEFAULT_LEASE = Duration.ofSeconds(10);

    private final LockClient locks;
    private final LockKey key;
    private final Duration lease;
    private final Optional<String> owner;
    private final Map<String, String> metadata;

    private LeaderElection(
            LockClient locks, LockKey key, Duration lease, Optional<String> owner, Map<String, String> metadata) {
        this.lease = LeaseSource.checked(lease);
        Terms checked = new Terms(lease, Terms.renewal(lease), Duration.ZERO, metadata, "");
        this.locks = locks;
        this.key = key;
        this.owner = owner;
        this.metadata = checked.metadata();
    }

    /** An election by the lock of this name, in the namespace of the client. */
    public static LeaderElection of(LockClient locks, String name) {
        return of(locks, locks.key(name));
    }

    /** An election by this lock. */
    public static LeaderElection of(LockClient locks, LockKey key) {
        return new LeaderElection(locks, key, DEFAULT_LEASE, Optional.empty(), Map.of());
    }

    /**
     * The same with another length of leases, 100 ms to 24 h; 10 s. A short one replaces a dead leader sooner; a long
     * one survives a longer failure of the store.
     */
    public LeaderElection withLease(Duration other) {
        return new LeaderElection(locks, key, other, owner, metadata);
    }

    /** The same with another name for this process, instead of that of the client. */
    public LeaderElection withOwner(String other) {
        return new LeaderElection(locks, key, lease, Optional.of(Names.text("owner", other, 1)), metadata);
    }

    /** The same with something others should see beside the name of the leader, such as its address. */
    public LeaderElection withMetadata(String name, String value) {
        Map<String, String> more = new TreeMap<>(metadata);
        more.put(name, value);
        return new LeaderElection(locks, key, lease, owner, more);
    }

    /** Which lock the leader holds. */
    public LockKey key() {
        return key;
    }

    /** Stands for election until closed. Each call is a candidate of its own, also within one process. */
    public Candidacy stand(LeaderListener listener) {
        Candidacy candidacy = new Candidacy(locks, key, this::ask, Objects.requireNonNull(listener, "listener"));
        candidacy.campaign();
        return candidacy;
    }

    private void ask(AcquireOptions options) {
        options.waitForever().lease(lease).reason("leads");
        owner.ifPresent(options::owner);
        metadata.forEach(options::metadata);
    }

    /**
     * Who leads, read from the store now; empty if nobody does.
     *
     * @throws dev.holdfast.spi.StoreException if the store failed: it is not known
     */
    public Optional<Holder> leader() {
        return LeaderWatch.leader(locks.inspect().get(key), key);
    }

    /** Reports who leads, now and when it changes, until closed; without being a candidate. */
    public LockClient.Subscription observe(LeaderObserver observer) {
        return new LeaderWatch(locks, key, Objects.requireNonNull(observer, "observer")).started();
    }
}
