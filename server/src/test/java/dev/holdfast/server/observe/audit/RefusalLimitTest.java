package dev.holdfast.server.observe.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.observe.audit.RefusalLimit.From;
import dev.holdfast.server.observe.metrics.AccessRefusal;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("which refusals are written")
class RefusalLimitTest {
    private static final From GUESSER = new From("192.0.2.1", AccessRefusal.BAD_CREDENTIALS);

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
    private final RefusalLimit limit = new RefusalLimit(nanos::get);

    private long written(From from, int times) {
        return IntStream.range(0, times).filter(i -> limit.admits(from)).count();
    }

    @Test
    @DisplayName("the first ten of an address and reason in a minute; the rest is counted and told once")
    void each() {
        assertThat(written(GUESSER, 1_000)).isEqualTo(10);
        assertThat(written(new From("192.0.2.1", AccessRefusal.ROLE), 3))
                .as("another reason")
                .isEqualTo(3);
        assertThat(written(new From("192.0.2.2", AccessRefusal.BAD_CREDENTIALS), 3))
                .isEqualTo(3);

        assertThat(limit.rests()).as("before the minute is over").isEmpty();
        nanos.addAndGet(Duration.ofSeconds(61).toNanos());
        assertThat(limit.rests()).containsExactly(Map.entry(GUESSER, 990L));
        assertThat(limit.rests()).isEmpty();
        assertThat(written(GUESSER, 100)).as("in the next minute").isEqualTo(10);
    }

    @Test
    @DisplayName("from however many addresses, a minute has a few hundred lines, and every refusal is counted")
    void all() {
        long written = IntStream.range(0, 100_000)
                .filter(i -> limit.admits(new From("address-" + i % 50_000, AccessRefusal.BAD_CREDENTIALS)))
                .count();
        assertThat(written).isLessThanOrEqualTo(RefusalLimit.ALL);
        Map<From, Long> rests = limit.end();
        assertThat(rests).hasSizeLessThanOrEqualTo(RefusalLimit.NETWORKS + AccessRefusal.values().length);
        assertThat(rests.values().stream().mapToLong(it -> it).sum() + written).isEqualTo(100_000);
        assertThat(rests.keySet()).anyMatch(from -> from.network().equals(RefusalLimit.OTHERS));
    }
}
