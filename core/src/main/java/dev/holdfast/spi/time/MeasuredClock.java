package dev.holdfast.spi.time;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The clock of a remote store, estimated from the times its answers carry.
 *
 * <p>An answer that was asked for at local {@code sent}, came at local {@code received}, and says "it is t" means that the
 * store's clock is ahead of ours by something between {@code t − received} and {@code t + resolution − sent}. The
 * intersection of recent samples, widened by the drift of both clocks since, is the estimate; even clocks that tell whole
 * seconds narrow to about a round trip. Samples that exclude each other mean that the store's clock stepped (or another
 * server answers): the estimate starts anew, and what was written before is no longer judged by the clock.
 *
 * <p>Safe for any thread.
 */
public final class MeasuredClock implements StoreClock {
    /** How often the engine measures again. */
    public static final Duration MEASURE_EVERY = Duration.ofSeconds(10);

    /** Two clocks drift apart by at most one part in this many: twice what time daemons use to slew. */
    public static final long DRIFT = 1_000;

    private final LocalTime local;
    private final long resolution;
    private final long skew;
    private final Supplier<CompletionStage<Void>> measure;

    // store time minus local monotonic time lies in [low, high], as of local time `at`; all in nanoseconds
    private long low;
    private long high;
    private Anchor at = new Anchor(0, Instant.EPOCH);
    private boolean known;
    private @Nullable Instant trustedSince;
    private boolean stepped;

    /**
     * A clock without samples.
     *
     * @param local the machine's clocks
     * @param resolution how coarse the store tells its time
     * @param skew by how much the clocks of the store's servers may differ from one another
     * @param measure asks the store for its time, ending in a call of {@link #sample}
     */
    public MeasuredClock(LocalTime local, Duration resolution, Duration skew, Supplier<CompletionStage<Void>> measure) {
        this.local = local;
        this.resolution = resolution.toNanos();
        this.skew = skew.toNanos();
        this.measure = measure;
    }

    /**
     * The store said it was {@code storeTime} at some moment between {@code sent} and now. An answer that was on its way while
     * the machine slept tells nothing and is left out.
     */
    public synchronized void sample(Anchor sent, Instant storeTime) {
        Anchor received = Anchor.of(local);
        if (!sent.agreesWith(received)) {
            return;
        }
        long told = nanos(storeTime);
        long sampleLow = told - skew - received.nanos();
        long sampleHigh = told + resolution + skew - sent.nanos();
        if (known && !at.agreesWith(received)) {
            forget();
        }
        if (known) {
            long wider = Math.max(0, received.nanos() - at.nanos()) / DRIFT;
            low = Math.max(low - wider, sampleLow);
            high = Math.min(high + wider, sampleHigh);
            if (low > high) {
                forget();
            }
        }
        if (!known) {
            low = sampleLow;
            high = sampleHigh;
            known = true;
            if (stepped) {
                // Others may go on writing from the old offset until they measure again, so trust starts after that.
                trustedSince = instant(received.nanos() + high).plus(MEASURE_EVERY.multipliedBy(2));
                stepped = false;
            }
        }
        at = received;
    }

    /** Another server, or the same after a failover, answers from now on. */
    public synchronized void discard() {
        if (known) {
            forget();
        }
    }

    private void forget() {
        known = false;
        stepped = true;
    }

    @Override
    public synchronized Optional<Reading> now() {
        Anchor now = Anchor.of(local);
        if (known && !at.agreesWith(now)) {
            forget();
        }
        if (!known) {
            return Optional.empty();
        }
        long wider = Math.max(0, now.nanos() - at.nanos()) / DRIFT;
        return Optional.of(new Reading(
                instant(now.nanos() + low - wider),
                instant(now.nanos() + high + wider),
                trustedSince == null ? Instant.MIN : trustedSince));
    }

    @Override
    public CompletionStage<Void> measure() {
        return measure.get();
    }

    private static long nanos(Instant time) {
        return time.getEpochSecond() * 1_000_000_000L + time.getNano();
    }

    private static Instant instant(long nanos) {
        long micros = Math.floorDiv(nanos, 1_000L);
        return Instant.ofEpochSecond(Math.floorDiv(micros, 1_000_000L), Math.floorMod(micros, 1_000_000L) * 1_000L);
    }
}
