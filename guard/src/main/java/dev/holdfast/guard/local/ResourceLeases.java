package dev.holdfast.guard.local;

import dev.holdfast.Attempt;
import dev.holdfast.Lease;
import dev.holdfast.guard.GuardConfig;
import dev.holdfast.guard.registry.ResourceLocks;
import dev.holdfast.model.LockKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The lock of each resource: {@code LOCK#DB#<db_identifier>} in namespace {@code guard}. Everything that judges, stops or starts a
 * resource does so under it.
 */
record ResourceLeases(GuardParts parts, GuardConfig config, DecisionLog log) implements ResourceLocks {
    private static final String NAMESPACE = "guard";
    private static final String PREFIX = "LOCK#DB#";
    /** However often it is retried, one wait is not longer. */
    private static final Duration MAX_BACKOFF = Duration.ofSeconds(30);

    private record ResourceLease(Lease held, String owner, DecisionLog log) implements HeldResource {
        @Override
        public long token() {
            return held.token().value();
        }

        @Override
        public boolean isValid() {
            return held.isValid();
        }

        @Override
        public Optional<Lease> lease() {
            return Optional.of(held);
        }

        @Override
        public void close() {
            held.close();
            log.released(held.key(), owner);
        }
    }

    static LockKey key(String id) {
        return LockKey.of(NAMESPACE, PREFIX + id);
    }

    /** Asks again as often as the settings say; each retry waits in the queue of the lock. */
    @Override
    public Optional<HeldResource> take(String id, String app, String purpose) throws InterruptedException {
        long start = System.nanoTime();
        Optional<HeldResource> held = attempt(id, app, purpose, Duration.ZERO);
        int retries = 0;
        while (held.isEmpty() && retries < config.lockMaxRetries()) {
            Duration wait = backoff(retries);
            retries++;
            log.retrying(id, retries, config.lockMaxRetries(), wait);
            held = attempt(id, app, purpose, wait);
        }
        parts.meter().lockAsked(retries, Duration.ofNanos(System.nanoTime() - start), held.isPresent());
        if (held.isEmpty()) {
            log.notLocked(id, retries + 1);
        }
        return held;
    }

    @Override
    public Optional<HeldResource> takeIfFree(String id, String app, String purpose) throws InterruptedException {
        return attempt(id, app, purpose, Duration.ZERO);
    }

    private Optional<HeldResource> attempt(String id, String app, String purpose, Duration wait)
            throws InterruptedException {
        String owner = UUID.randomUUID().toString();
        Instant now = parts.clock().instant();
        Attempt<Lease> attempt = parts.locks()
                .tryAcquire(
                        key(id),
                        options -> options.waitUpTo(wait)
                                .lease(config.lockTtl())
                                .owner(owner)
                                .reason(purpose + " for " + app)
                                .metadata("owner_id", owner)
                                .metadata(
                                        "ttl",
                                        Long.toString(now.plus(config.lockTtl()).getEpochSecond()))
                                .metadata("created_at", now.toString())
                                .metadata("lock_type", "database")
                                .metadata("db_identifier", id));
        return attempt.fold(
                done -> {
                    log.locked(id, owner, purpose);
                    return Optional.of(new ResourceLease(done.value(), owner, log));
                },
                busy -> Optional.empty(),
                lost -> Optional.empty());
    }

    /** Twice as long each time, between half and all of it, so that those who collided once do not again. */
    private Duration backoff(int retry) {
        long full = Math.min(config.lockBackoff().toMillis() << Math.min(retry, 16), MAX_BACKOFF.toMillis());
        return Duration.ofMillis(full / 2 + ThreadLocalRandom.current().nextLong(full / 2 + 1));
    }
}
