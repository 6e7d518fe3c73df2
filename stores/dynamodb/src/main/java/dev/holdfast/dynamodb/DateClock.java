package dev.holdfast.dynamodb;

import dev.holdfast.spi.Anchor;
import dev.holdfast.spi.MeasuredClock;
import dev.holdfast.spi.StoreClock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.http.SdkHttpResponse;

/**
 * DynamoDB's time, from the {@code Date} header of its answers: whole seconds, so each answer tells it within a second, the
 * round trip, and the declared skew of DynamoDB's servers on both sides; several answers together tell it more closely. Answers
 * that exclude each other are reported: from then on nothing written before is judged by the clock.
 */
final class DateClock {
    private static final Logger LOG = LoggerFactory.getLogger(DateClock.class);

    /**
     * How an answer tells the time.
     *
     * @param resolution how coarsely
     * @param read the time in an answer, if it has one
     */
    record Telling(Duration resolution, Function<SdkHttpResponse, Optional<Instant>> read) {
        /** By its {@code Date} header. */
        static final Telling DATE = new Telling(Duration.ofSeconds(1), DateClock::date);
    }

    private final Place place;
    private final Duration skew;
    private final Telling telling;
    private final MeasuredClock measured;

    DateClock(Place place, DynamoConfig config, Telling telling, Supplier<CompletionStage<Void>> measure) {
        this.place = place;
        this.skew = config.skew();
        this.telling = telling;
        this.measured = new MeasuredClock(config.time(), telling.resolution(), skew, measure);
    }

    StoreClock clock() {
        return measured;
    }

    /** Whether DynamoDB's clock has certainly reached this time. */
    boolean hasReached(Instant time) {
        return measured.now().map(now -> !now.earliest().isBefore(time)).orElse(false);
    }

    /** Takes note of an answer to what was sent then. */
    void answered(Anchor sent, SdkHttpResponse answer) {
        telling.read().apply(answer).ifPresent(time -> note(sent, time));
    }

    boolean isToldBy(SdkHttpResponse answer) {
        return telling.read().apply(answer).isPresent();
    }

    private synchronized void note(Anchor sent, Instant told) {
        Optional<StoreClock.Reading> before = measured.now();
        measured.sample(sent, told);
        Optional<StoreClock.Reading> after = measured.now();
        if (before.isPresent()
                && after.isPresent()
                && !before.get().trustedSince().equals(after.get().trustedSince())) {
            LOG.warn(
                    "The clock of {} stepped: an answer says {}, which by the answers before should have been between {}"
                            + " and {}. Locks taken before are not taken over by the clock, only after they were seen"
                            + " unchanged for their whole lease. If this repeats, DynamoDB's servers differ by more than"
                            + " {} ms: open the store with a larger ?skew= in all processes",
                    place,
                    told,
                    before.get().earliest(),
                    before.get().latest(),
                    skew.toMillis());
        }
    }

    private static Optional<Instant> date(SdkHttpResponse answer) {
        return answer.firstMatchingHeader("Date").flatMap(DateClock::parse);
    }

    private static Optional<Instant> parse(String header) {
        try {
            return Optional.of(DateTimeFormatter.RFC_1123_DATE_TIME.parse(header, Instant::from));
        } catch (DateTimeException e) {
            LOG.debug("not a date: {}", header, e);
            return Optional.empty();
        }
    }
}
