package dev.holdfast.spi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.spi.time.Anchor;
import dev.holdfast.spi.time.LocalTime;
import dev.holdfast.spi.time.MeasuredClock;
import dev.holdfast.spi.time.StoreClock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The store's time as an interval, narrowed by samples, widened by age. */
class MeasuredClockTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    /** The machine's clocks, and the store's true time, which is ahead by {@code offset}. */
    private static final class Time implements LocalTime {
        private long nanos = 1_000_000_000L;
        private Instant wall = START;
        private Duration offset = Duration.ofMillis(1_234_567);

        @Override
        public long nanos() {
            return nanos;
        }

        @Override
        public Instant wall() {
            return wall;
        }

        void pass(Duration time) {
            nanos += time.toNanos();
            wall = wall.plus(time);
        }

        Instant store() {
            return START.plusNanos(nanos).plus(offset);
        }
    }

    private final Time time = new Time();

    private MeasuredClock clock(Duration resolution, Duration skew) {
        return new MeasuredClock(time, resolution, skew, () -> CompletableFuture.completedStage(null));
    }

    private final MeasuredClock clock = clock(Duration.ZERO, Duration.ZERO);

    /** A request that takes {@code there} on the way to the store and {@code back} on the way home. */
    private void sample(MeasuredClock measured, Duration resolution, Duration there, Duration back) {
        Anchor sent = Anchor.of(time);
        time.pass(there);
        Instant told = time.store();
        if (!resolution.isZero()) {
            long grain = resolution.toNanos();
            long since = Duration.between(START, told).toNanos();
            told = START.plusNanos(since / grain * grain);
        }
        time.pass(back);
        measured.sample(sent, told);
    }

    private void sample(int millisThere, int millisBack) {
        sample(clock, Duration.ZERO, Duration.ofMillis(millisThere), Duration.ofMillis(millisBack));
    }

    private static Duration width(MeasuredClock measured) {
        StoreClock.Reading reading = measured.now().orElseThrow();
        return Duration.between(reading.earliest(), reading.latest());
    }

    private void assertContainsTruth(MeasuredClock measured) {
        StoreClock.Reading reading = measured.now().orElseThrow();
        assertThat(time.store().plusNanos(1_000)).isAfterOrEqualTo(reading.earliest());
        assertThat(time.store().minusNanos(1_000)).isBeforeOrEqualTo(reading.latest());
    }

    @Test
    @DisplayName("without a sample nothing is known")
    void unknownAtFirst() {
        assertThat(clock.now()).isEmpty();
    }

    @Test
    @DisplayName("one sample gives the truth to within its round trip, and trusts everything written before")
    void oneSample() {
        sample(10, 30);
        assertContainsTruth(clock);
        assertThat(width(clock)).isBetween(Duration.ofMillis(39), Duration.ofMillis(41));
        assertThat(clock.now().orElseThrow().trustedSince()).isEqualTo(Instant.MIN);
    }

    @Test
    @DisplayName("samples that lean to different sides narrow each other")
    void intersection() {
        sample(0, 40);
        sample(40, 0);
        assertContainsTruth(clock);
        assertThat(width(clock)).isLessThan(Duration.ofMillis(1));
    }

    @Test
    @DisplayName("whole seconds narrow to about a round trip")
    void coarseSamples() {
        Duration second = Duration.ofSeconds(1);
        MeasuredClock coarse = clock(second, Duration.ZERO);
        sample(coarse, second, Duration.ofMillis(5), Duration.ofMillis(5));
        assertThat(width(coarse)).isGreaterThan(Duration.ofMillis(900));
        for (int i = 0; i < 200; i++) {
            time.pass(Duration.ofMillis(137));
            sample(coarse, second, Duration.ofMillis(5), Duration.ofMillis(5));
            assertContainsTruth(coarse);
        }
        assertThat(width(coarse)).isLessThan(Duration.ofMillis(60));
    }

    @Test
    @DisplayName("what is known widens with age, by the drift of clocks")
    void widensWithAge() {
        sample(5, 5);
        Duration fresh = width(clock);
        time.pass(Duration.ofSeconds(10));
        assertThat(width(clock).minus(fresh)).isBetween(Duration.ofMillis(19), Duration.ofMillis(21));
        assertContainsTruth(clock);
    }

    @Test
    @DisplayName("a clock that drifts within bounds is followed, without taking it for a step")
    void drift() {
        sample(5, 5);
        for (int i = 0; i < 100; i++) {
            time.pass(Duration.ofSeconds(10));
            time.offset = time.offset.plusMillis(i % 2 == 0 ? 8 : -8);
            sample(5, 5);
            assertContainsTruth(clock);
        }
        assertThat(clock.now().orElseThrow().trustedSince()).isEqualTo(Instant.MIN);
    }

    @Test
    @DisplayName("a declared skew between servers widens every sample")
    void skew() {
        MeasuredClock skewed = clock(Duration.ZERO, Duration.ofMillis(500));
        sample(skewed, Duration.ZERO, Duration.ofMillis(5), Duration.ofMillis(5));
        assertThat(width(skewed)).isBetween(Duration.ofMillis(1_009), Duration.ofMillis(1_012));
    }

    @Test
    @DisplayName("a step forward starts anew, and what was written before is no longer judged by the clock")
    void stepForward() {
        assertStepIsSeen(Duration.ofMinutes(5));
    }

    @Test
    @DisplayName("a step back starts anew, and what was written before is no longer judged by the clock")
    void stepBack() {
        assertStepIsSeen(Duration.ofMinutes(-5));
    }

    private void assertStepIsSeen(Duration step) {
        sample(5, 5);
        time.pass(Duration.ofSeconds(1));
        time.offset = time.offset.plus(step);
        sample(5, 5);
        assertContainsTruth(clock);
        Instant trusted = clock.now().orElseThrow().trustedSince();
        assertThat(trusted)
                .as("others may write from the old offset until they measure again")
                .isAfter(time.store().plus(MeasuredClock.MEASURE_EVERY))
                .isBefore(time.store().plus(MeasuredClock.MEASURE_EVERY.multipliedBy(3)));
        time.pass(Duration.ofSeconds(60));
        sample(5, 5);
        assertThat(clock.now().orElseThrow().trustedSince()).as("it stays").isEqualTo(trusted);
    }

    @Test
    @DisplayName(
            "a wall clock that moved against the monotonic one discards what is known: the machine slept or was set")
    void wallDisagrees() {
        for (Duration step : new Duration[] {Duration.ofSeconds(2), Duration.ofSeconds(-2)}) {
            sample(5, 5);
            assertThat(clock.now()).isPresent();
            time.wall = time.wall.plus(step);
            assertThat(clock.now()).isEmpty();
            sample(5, 5);
            assertThat(clock.now().orElseThrow().trustedSince()).isAfter(time.store());
        }
    }

    @Test
    @DisplayName("a sample that comes after the machine slept is not mixed with what was known before")
    void sampleAfterSleep() {
        sample(5, 5);
        time.wall = time.wall.plusSeconds(3_600);
        sample(5, 5);
        assertThat(clock.now().orElseThrow().trustedSince()).isNotEqualTo(Instant.MIN);
        assertContainsTruth(clock);
    }

    @Test
    @DisplayName("an answer that was on its way while the machine slept tells nothing")
    void sampleDuringSleep() {
        sample(5, 5);
        Anchor sent = Anchor.of(time);
        Instant told = time.store();
        time.pass(Duration.ofMillis(10));
        time.wall = time.wall.plusSeconds(3_600);
        clock.sample(sent, told);
        assertThat(clock.now()).isEmpty();
    }

    @Test
    @DisplayName("a small correction of the wall clock does no harm")
    void wallIsSlewed() {
        sample(5, 5);
        time.wall = time.wall.plusMillis(15);
        assertThat(clock.now()).isPresent();
    }

    @Test
    @DisplayName("after another server took over, nothing is known until it was asked")
    void discard() {
        sample(5, 5);
        clock.discard();
        assertThat(clock.now()).isEmpty();
        sample(5, 5);
        assertThat(clock.now().orElseThrow().trustedSince()).isAfter(time.store());
    }

    @Test
    @DisplayName("discarding what was never known distrusts nothing: the first server is no other server")
    void discardAtFirst() {
        clock.discard();
        sample(5, 5);
        assertThat(clock.now().orElseThrow().trustedSince()).isEqualTo(Instant.MIN);
    }

    @Test
    @DisplayName("the earliest time never runs back while the clock does not step")
    void earliestIsMonotonic() {
        sample(5, 5);
        Instant last = Instant.MIN;
        for (int i = 0; i < 300; i++) {
            time.pass(Duration.ofMillis(i * 7 % 50));
            if (i % 5 == 0) {
                sample(i % 40, (i * 3) % 40);
            }
            Instant earliest = clock.now().orElseThrow().earliest();
            assertThat(earliest).isAfterOrEqualTo(last);
            last = earliest;
        }
    }
}
