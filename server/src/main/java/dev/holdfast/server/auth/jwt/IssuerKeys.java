package dev.holdfast.server.auth.jwt;

import dev.holdfast.internal.parts.Causes;
import dev.holdfast.internal.parts.DaemonThreads;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys of an issuer as last seen. Looked at again in the background and when a token names a key that is not known; once
 * seen, they stay in use while the issuer cannot be reached. Thread-safe; nothing blocks.
 */
public final class IssuerKeys implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(IssuerKeys.class);

    /**
     * How often and how long.
     *
     * @param refreshEvery how old keys become: how long a withdrawn key is still accepted
     * @param atMostEvery the shortest time between two looks: strangers can make us look
     * @param patience how long one look may take
     */
    public record Pace(Duration refreshEvery, Duration atMostEvery, Duration patience) {
        public static final Pace STANDARD =
                new Pace(Duration.ofMinutes(5), Duration.ofSeconds(10), Duration.ofSeconds(5));
    }

    private final KeySource source;
    private final Pace pace;
    private final ScheduledThreadPoolExecutor timer =
            new ScheduledThreadPoolExecutor(1, DaemonThreads.numbered("holdfast-issuer"));

    private volatile Optional<KeySet> current = Optional.empty();
    private volatile boolean outage;

    // Guarded by this.
    private CompletableFuture<Void> look = CompletableFuture.completedFuture(null);
    private Optional<Long> started = Optional.empty();

    private IssuerKeys(KeySource source, Pace pace) {
        this.source = source;
        this.pace = pace;
    }

    static IssuerKeys of(JwtConfig config, Pace pace) {
        IssuerKeys keys = new IssuerKeys(new KeySource(config, pace.patience()), pace);
        if (keys.source.isExposed()) {
            LOG.warn(
                    "Keys of {} are fetched without TLS: anyone on the network path can issue tokens. Use https.",
                    keys.source.name());
        }
        var unused = keys.timer.scheduleWithFixedDelay(
                keys::lookIfDue, 0, pace.atMostEvery().toNanos(), TimeUnit.NANOSECONDS);
        return keys;
    }

    /** The keys last seen; empty if none ever were. Stays the same object while the issuer's keys stay the same. */
    Optional<KeySet> current() {
        return current;
    }

    boolean outage() {
        return outage;
    }

    /**
     * Looks for newer keys: with the look that is under way, or with a new one unless the last began a moment ago. Completes
     * when {@link #current} shows what came of it; never exceptionally.
     */
    synchronized CompletionStage<Void> look() {
        long now = System.nanoTime();
        boolean tooSoon = started.filter(last -> now - last < pace.atMostEvery().toNanos())
                .isPresent();
        if (look.isDone() && !tooSoon) {
            started = Optional.of(now);
            look = source.fetch().handle((keys, failure) -> {
                Optional.ofNullable(keys).ifPresentOrElse(this::seen, () -> notSeen(failure));
                return null;
            });
        }
        return look;
    }

    private void lookIfDue() {
        if (outage || current.isEmpty() || age() >= pace.refreshEvery().toNanos()) {
            look();
        }
    }

    private synchronized long age() {
        return System.nanoTime() - started.orElseThrow();
    }

    private void seen(KeySet keys) {
        if (outage) {
            LOG.info("Keys of {} can be fetched again.", source.name());
        }
        outage = false;
        if (!current.equals(Optional.of(keys))) {
            LOG.info(
                    "Issuer {} has {} signing keys.", source.name(), keys.keys().size());
            current = Optional.of(keys);
        }
    }

    private void notSeen(Throwable failure) {
        if (!outage) {
            LOG.warn(
                    "Keys of {} cannot be fetched: {}. {} Trying again every {} s.",
                    source.name(),
                    reason(failure),
                    current.isPresent()
                            ? "Those already known stay in use."
                            : "None are known yet, so JWTs are answered with 503.",
                    pace.atMostEvery().toSeconds());
        }
        outage = true;
    }

    private static String reason(Throwable failure) {
        if (failure instanceof TimeoutException) {
            return "no complete answer in time";
        }
        Throwable cause = Causes.of(failure);
        return cause instanceof CompletionException || cause.getMessage() != null
                ? String.valueOf(cause.getMessage())
                : cause.getClass().getSimpleName();
    }

    /** No more looks by itself; one under way ends within the patience, and answers those who wait for it. */
    @Override
    public void close() {
        timer.shutdownNow();
    }
}
