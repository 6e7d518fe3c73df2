package dev.holdfast;

import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.Mode;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Terms;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How a lock is asked for. Set in the callback of the methods of {@link LockClient}; values are checked when the lock is
 * asked for, with an {@link IllegalArgumentException} that names the value and its bound. For one thread, and one call.
 */
public final class AcquireOptions {
    /** How long {@link LockClient#acquire} waits unless told otherwise. */
    public static final Duration DEFAULT_WAIT = Duration.ofSeconds(30);

    /** How long a lease lasts without renewal unless told otherwise. */
    public static final Duration DEFAULT_LEASE = Duration.ofSeconds(30);

    /** No bound. */
    static final Duration FOREVER = ChronoUnit.FOREVER.getDuration();

    Duration wait;
    Optional<LeaseId> leaseId = Optional.empty();
    Optional<String> owner = Optional.empty();
    boolean renew = true;
    private Duration lease = DEFAULT_LEASE;
    private Duration minHold = Duration.ZERO;
    private Mode mode = Mode.EXCLUSIVE;
    private String reason = "";
    private final Map<String, String> metadata = new TreeMap<>();
    private final List<LockPath> alsoPaths = new ArrayList<>();

    AcquireOptions(Duration wait) {
        this.wait = wait;
    }

    /** How long to wait for the lock, up to 7 days; zero: not at all. */
    public AcquireOptions waitUpTo(Duration duration) {
        wait = Objects.requireNonNull(duration, "waitUpTo");
        return this;
    }

    /** Waits until it is granted, however long that takes. */
    public AcquireOptions waitForever() {
        wait = FOREVER;
        return this;
    }

    /** How long the lock stays yours without a renewal, 100 ms to 24 h. The shorter, the sooner a dead holder is replaced. */
    public AcquireOptions lease(Duration duration) {
        lease = duration;
        return this;
    }

    /** Do not renew: the lease ends after its length, whatever happens. */
    public AcquireOptions withoutRenewal() {
        renew = false;
        return this;
    }

    /** Keep the lock busy for at least this long after the grant, even if it is released sooner. */
    public AcquireOptions minHold(Duration duration) {
        minHold = duration;
        return this;
    }

    /** Share the lock with others who share it. */
    public AcquireOptions shared() {
        mode = Mode.SHARED;
        return this;
    }

    /** Be one of at most {@code limit} holders. */
    public AcquireOptions permit(int limit) {
        mode = Mode.permit(limit);
        return this;
    }

    /** Besides the key's own path, these paths of the same record, all or none. */
    public AcquireOptions alsoPaths(String... paths) {
        for (String path : paths) {
            alsoPaths.add(LockPath.of(path));
        }
        return this;
    }

    /** Who is shown as the holder, instead of the client's own name. */
    public AcquireOptions owner(String label) {
        owner = Optional.of(label);
        return this;
    }

    /** Why you hold the lock; shown to others. */
    public AcquireOptions reason(String text) {
        reason = text;
        return this;
    }

    /** Something others should see beside the lock. */
    public AcquireOptions metadata(String key, String value) {
        metadata.put(key, value);
        return this;
    }

    /** Names the acquisition beforehand, so that asking again after an unclear failure is recognised as the same. */
    public AcquireOptions leaseId(LeaseId id) {
        leaseId = Optional.of(id);
        return this;
    }

    /** A copy that also takes the paths of these keys. */
    AcquireOptions forPaths(Collection<LockKey> more) {
        AcquireOptions copy = new AcquireOptions(wait);
        copy.leaseId = leaseId;
        copy.owner = owner;
        copy.renew = renew;
        copy.lease = lease;
        copy.minHold = minHold;
        copy.mode = mode;
        copy.reason = reason;
        copy.metadata.putAll(metadata);
        copy.alsoPaths.addAll(alsoPaths);
        more.forEach(key -> copy.alsoPaths.add(key.path()));
        return copy;
    }

    Scope scope(LockKey key) {
        if (alsoPaths.isEmpty()) {
            return Scope.of(key.path(), mode);
        }
        List<LockPath> all = new ArrayList<>(alsoPaths);
        all.add(key.path());
        return new Scope(all, mode);
    }

    Terms terms() {
        Duration own = checked(lease);
        Duration every = renew ? Terms.renewal(own) : Duration.ZERO;
        return new Terms(own, every, minHold, metadata, reason);
    }

    /** A length that a lease of this process may have: not "for ever", since its locks end with it. */
    static Duration checked(Duration lease) {
        if (lease.compareTo(Terms.MAX_LEASE) > 0) {
            throw new IllegalArgumentException(
                    "lease '" + lease + "' must be between " + Terms.MIN_LEASE + " and " + Terms.MAX_LEASE);
        }
        return Terms.lease(lease);
    }
}
