package dev.holdfast.aws;

import dev.holdfast.spi.time.Anchor;
import dev.holdfast.spi.time.LocalTime;
import dev.holdfast.spi.time.MeasuredClock;
import dev.holdfast.spi.time.StoreClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.http.SdkHttpResponse;

/**
 * The store's time, from the {@code Date} header of its answers: whole seconds, so each answer tells it within a second, the round
 * trip, and the declared skew of its servers on both sides; several answers together tell it more closely. Answers that exclude each
 * other are reported: from then on nothing written before is judged by the clock.
 */
public final class DateHeaderClock {
    private static final Logger LOG = LoggerFactory.getLogger(DateHeaderClock.class);

    private final String store;
    private final Skew skew;
    private final ServerTime told;
    private final MeasuredClock measured;

    /** By how much the clocks of a store's servers may differ, the same for all processes on the data; and what to do where it is too little. */
    public record Skew(Duration allowed, String wider) {}

    /** A clock that nothing is known of; {@code measure} sends a request whose answer tells the time. */
    public DateHeaderClock(
            String store, LocalTime time, ServerTime told, Skew skew, Supplier<CompletionStage<Void>> measure) {
        this.store = store;
        this.skew = skew;
        this.told = told;
        this.measured = new MeasuredClock(time, told.resolution(), skew.allowed(), measure);
    }

    /** As engines want it. */
    public StoreClock clock() {
        return measured;
    }

    /** Whether the store's clock has certainly reached this time. */
    public boolean hasReached(Instant time) {
        return measured.now().map(now -> !now.earliest().isBefore(time)).orElse(false);
    }

    /** Whether this answer tells the time. */
    public boolean isToldBy(SdkHttpResponse answer) {
        return told.of(answer).isPresent();
    }

    /** Takes note of an answer to what was sent then. */
    void answered(Anchor sent, SdkHttpResponse answer) {
        told.of(answer).ifPresent(time -> note(sent, time));
    }

    private synchronized void note(Anchor sent, Instant time) {
        Optional<StoreClock.Reading> before = measured.now();
        measured.sample(sent, time);
        Optional<StoreClock.Reading> after = measured.now();
        if (before.isPresent()
                && after.isPresent()
                && !before.get().trustedSince().equals(after.get().trustedSince())) {
            LOG.warn(
                    "The clock of {} stepped: an answer says {}, which by the answers before should have been between {}"
                            + " and {}. Locks taken before are not taken over by the clock, only after they were seen"
                            + " unchanged for their whole lease. If this repeats, its servers differ by more than {} ms: {}"
                            + " in all processes",
                    store,
                    time,
                    before.get().earliest(),
                    before.get().latest(),
                    skew.allowed().toMillis(),
                    skew.wider());
        }
    }
}
