package dev.holdfast.spring.integration;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Attempt;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockClient;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LostReason;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** What each thread holds. A thread that ends takes along what it knew, and its leases are given back. Safe for any thread. */
final class RegistryLocks {
    private final LockClient client;
    private final String namespace;
    private final Duration lease;

    @SuppressWarnings("ThreadLocalUsage") // two registries hold the same lock apart from each other
    private final ThreadLocal<Map<LockKey, Held>> held = ThreadLocal.withInitial(HashMap::new);

    RegistryLocks(LockClient client, String namespace, Duration lease) {
        this.client = client;
        this.namespace = namespace;
        this.lease = lease;
    }

    /** A lease, and how often its thread has locked it. */
    private static final class Held {
        final Lease lease;
        int times = 1;

        Held(Lease lease) {
            this.lease = lease;
        }
    }

    /** A way to ask for a lock. */
    interface Asking {
        Attempt<Lease> ask(LockClient client, LockKey key, Consumer<AcquireOptions> options)
                throws InterruptedException;
    }

    /** A way to ask for a lock that is not interrupted. */
    interface AskingOn extends Asking {
        @Override
        Attempt<Lease> ask(LockClient client, LockKey key, Consumer<AcquireOptions> options);
    }

    Duration lease() {
        return lease;
    }

    String namespace() {
        return namespace;
    }

    LockKey key(Object of) {
        if (of instanceof LockKey key) {
            return key;
        }
        String text = of.toString();
        try {
            return LockKey.of(namespace, text);
        } catch (IllegalArgumentException e) {
            return LockKey.of(namespace, "sha256:" + sha256(text)); // such as a message's own data as a key
        }
    }

    private static String sha256(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** Takes the lock for this thread once, or once more; false if others have it. */
    boolean take(LockKey key, Duration ttl, Asking asking) throws InterruptedException {
        return again(key) || first(key, asking.ask(client, key, options -> options.lease(ttl)));
    }

    /** The same, with a way that is not interrupted. */
    boolean takeOn(LockKey key, Duration ttl, AskingOn asking) {
        return again(key) || first(key, asking.ask(client, key, options -> options.lease(ttl)));
    }

    private boolean again(LockKey key) {
        Held own = held.get().get(key);
        if (own == null) {
            return false;
        }
        own.lease.ensureValid(); // whoever believes to hold it must hear that it does not
        own.times++;
        return true;
    }

    private boolean first(LockKey key, Attempt<Lease> attempt) {
        attempt.ifDone(granted -> held.get().put(key, new Held(granted)));
        return attempt.isDone();
    }

    /** Gives the lock back, if this thread has done so as often as it has taken it. */
    void giveBack(LockKey key) {
        Held own = own(key).orElseThrow(() -> new IllegalMonitorStateException(
                "This thread does not hold lock " + key + "; only the thread that locked it can unlock it"));
        own.times--;
        if (own.times > 0) {
            return;
        }
        forget(key);
        if (!own.lease.release()) {
            LostReason reason = own.lease.lostFor().orElse(LostReason.RELEASED);
            ConcurrentModificationException lost =
                    new ConcurrentModificationException("Lock " + key + " was lost before it was unlocked (" + reason
                            + "): what was done under it may have been done beside another holder");
            lost.initCause(new LeaseLostException(key, reason));
            throw lost;
        }
    }

    private void forget(LockKey key) {
        held.get().remove(key);
        if (held.get().isEmpty()) {
            held.remove();
        }
    }

    void renew(LockKey key, Duration ttl) {
        Held own = own(key).orElseThrow(() ->
                new IllegalStateException("Lock " + key + " cannot be renewed: this thread does not hold it"));
        if (!own.lease.extend(ttl)) {
            LostReason reason = own.lease.lostFor().orElse(LostReason.UNKNOWN);
            throw new IllegalStateException(
                    "Lock " + key + " cannot be renewed: it was lost", new LeaseLostException(key, reason));
        }
    }

    private Optional<Held> own(LockKey key) {
        return Optional.ofNullable(held.get().get(key));
    }
}
