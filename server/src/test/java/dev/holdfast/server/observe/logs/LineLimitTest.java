package dev.holdfast.server.observe.logs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("lines about the same")
class LineLimitTest {
    private final AtomicLong now = new AtomicLong();
    private final LineLimit limit = new LineLimit(now::get);

    private long admitted(String kind, int lines) {
        return IntStream.range(0, lines).filter(i -> limit.admits(kind)).count();
    }

    @Test
    @DisplayName("are written one by one up to a limit in a minute; the rest is counted, and told once")
    void each() {
        assertThat(admitted("a", 25)).isEqualTo(LineLimit.EACH);
        assertThat(admitted("b", 1)).isOne();
        assertThat(limit.end()).containsExactly(Map.entry("a", 15L));
        assertThat(limit.end()).isEmpty();
        assertThat(admitted("a", 1)).isOne();
    }

    @Test
    @DisplayName("begin anew when a minute is over, not before")
    void minute() {
        admitted("a", 25);
        limit.look();
        assertThat(admitted("a", 1)).isZero();
        now.addAndGet(Duration.ofMinutes(1).toNanos());
        limit.look();
        assertThat(admitted("a", 1)).isOne();
    }

    @Test
    @DisplayName("of many kinds are bounded, too, in lines and in what is remembered")
    void all() {
        long written =
                IntStream.range(0, 1_000).filter(i -> limit.admits("kind " + i)).count();
        assertThat(written).isEqualTo(LineLimit.ALL);
        assertThat(limit.end()).hasSizeLessThanOrEqualTo(LineLimit.KINDS + 1);
    }
}
