package dev.holdfast.bench.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.bench.soak.GrowthRate.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("From samples")
class GrowthRateTest {
    private static final double MB = 1 << 20;

    /** A look every minute. */
    private static List<Sample> everyMinute(Gauge gauge, int minutes, IntToDoubleFunction value) {
        return IntStream.range(0, minutes)
                .mapToObj(minute -> new Sample(Duration.ofMinutes(minute), Map.of(gauge, value.applyAsDouble(minute))))
                .toList();
    }

    private static GrowthRate growth(Gauge gauge, int minutes, IntToDoubleFunction value) {
        return GrowthRate.of(gauge, everyMinute(gauge, minutes, value), Duration.ofMinutes(minutes / 4));
    }

    private static SoakReport report(long requests, long failures, long events, GrowthRate... growths) {
        return new SoakReport(
                "http://x",
                Duration.ofMinutes(45),
                requests / 3,
                0,
                requests,
                failures,
                failures == 0 ? Optional.empty() : Optional.of("GET /x was answered 500"),
                events,
                List.of(growths));
    }

    @Test
    @DisplayName("a leak is found: how much an hour, and where it would be in a month")
    void leak() {
        GrowthRate growth = growth(Gauge.HEAP, 60, minute -> 40 * MB + minute * 0.2 * MB);
        assertThat(growth.verdict()).isEqualTo(Verdict.GROWS);
        assertThat(growth.perHour()).isCloseTo(12 * MB, within(0.1 * MB));
        assertThat(growth.inAMonth()).isGreaterThan(8_000 * MB);
        assertThat(report(10_000, 0, 5, growth).problems())
                .containsExactly("heap after collection grows by 12.0 MB an hour, allowed are 2.0 MB");
    }

    @Test
    @DisplayName("what wanders up and down, or grew only while the server warmed up, is steady")
    void steady() {
        assertThat(growth(Gauge.HEAP, 60, minute -> 40 * MB + (minute % 7) * 0.3 * MB)
                        .verdict())
                .isEqualTo(Verdict.STEADY);
        assertThat(growth(Gauge.THREADS, 60, minute -> Math.min(30, 10 + minute * 5))
                        .verdict())
                .isEqualTo(Verdict.STEADY);
        assertThat(growth(Gauge.FILES, 60, minute -> minute == 50 ? 900 * MB : 20 * MB)
                        .verdict())
                .as("one wild value")
                .isEqualTo(Verdict.STEADY);
    }

    @Test
    @DisplayName("a few more threads or files than at first are no growth, one more with every minute is")
    void counts() {
        assertThat(growth(Gauge.DESCRIPTORS, 60, minute -> 200 + minute / 20).verdict())
                .isEqualTo(Verdict.STEADY);
        assertThat(growth(Gauge.DESCRIPTORS, 60, minute -> 200 + minute).verdict())
                .isEqualTo(Verdict.GROWS);
        assertThat(growth(Gauge.EVENTS, 60, minute -> 600 + minute * 60).verdict())
                .isEqualTo(Verdict.GROWS);
    }

    @Test
    @DisplayName("too short a time, or nothing that could be seen, is said as that")
    void unknown() {
        List<Sample> seconds = IntStream.range(0, 30)
                .mapToObj(i -> new Sample(Duration.ofSeconds(i), Map.of(Gauge.HEAP, i * MB)))
                .toList();
        assertThat(GrowthRate.of(Gauge.HEAP, seconds, Duration.ofSeconds(5)).verdict())
                .isEqualTo(Verdict.TOO_SHORT);
        assertThat(GrowthRate.of(Gauge.FILES, seconds, Duration.ofSeconds(5)).verdict())
                .isEqualTo(Verdict.NOT_SEEN);
        assertThat(growth(Gauge.LOCKS, 10, minute -> minute * 100).verdict())
                .as("no lock is forgotten so soon")
                .isEqualTo(Verdict.TOO_SHORT);
        assertThat(report(100, 0, 1, GrowthRate.of(Gauge.FILES, seconds, Duration.ZERO))
                        .table())
                .contains("not seen from here", "too short to tell what grows");
    }

    @Test
    @DisplayName("failed requests and silence of events are problems too, and JSON has all of it")
    void failures() {
        SoakReport bad = report(1_000, 2, 0);
        assertThat(bad.problems())
                .containsExactly("2 of 1000 requests failed; the first: GET /x was answered 500", "no event was heard");
        assertThat(bad.table()).contains("Problem: 2 of 1000");
        assertThat(bad.json()).contains("\"failures\":2", "\"ok\":false", "\"problems\":[\"2 of 1000");
        SoakReport good = report(10_000, 1, 9, growth(Gauge.HEAP, 60, minute -> 40 * MB));
        assertThat(good.problems()).isEmpty();
        assertThat(good.table()).contains("Nothing grows beyond its bound", "40.0 MB", "steady");
        assertThat(good.json())
                .contains("\"what\":\"heap\"", "\"per_hour\":0", "\"verdict\":\"steady\"", "\"ok\":true");
    }

    @Test
    @DisplayName(
            "the warm-up is a quarter of the time, on a server of one's own long enough for its retention, and at most half")
    void settled() {
        assertThat(SoakCommand.settled(Duration.ofHours(1), true)).isEqualTo(Duration.ofMinutes(15));
        assertThat(SoakCommand.settled(Duration.ofMinutes(4), true)).isEqualTo(OwnServer.SETTLED);
        assertThat(SoakCommand.settled(Duration.ofMinutes(4), false)).isEqualTo(Duration.ofMinutes(1));
        assertThat(SoakCommand.settled(Duration.ofSeconds(6), true)).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    @DisplayName("the bounds are those of the page about operations")
    void documented() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "OPERATIONS.md"));
        for (Gauge gauge : Gauge.values()) {
            Gauge.Unit unit = gauge.unit();
            assertThat(page)
                    .contains("| " + gauge.title() + " | " + unit.text(gauge.allowedPerHour()) + " | "
                            + unit.text(gauge.wander(0)));
        }
    }
}
