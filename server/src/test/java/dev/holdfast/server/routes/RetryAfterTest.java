package dev.holdfast.server.routes;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.Mode;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Terms;
import dev.holdfast.model.Times;
import dev.holdfast.model.Token;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("when asking again makes sense")
class RetryAfterTest {
    private static final Instant NOW = Instant.parse("2026-11-16T11:05:12Z");

    private static Hold until(Instant end) {
        return new Hold(
                new LeaseId("lease-0001"),
                Scope.of(LockPath.WHOLE, Mode.SHARED),
                "alice",
                new Token(1),
                NOW.minusSeconds(60),
                NOW.minusSeconds(60),
                end,
                Terms.of(Duration.ofMinutes(1)),
                Hold.Phase.HELD,
                Optional.empty(),
                false);
    }

    private static Duration after(Instant... ends) {
        return RetryAfter.of(List.of(ends).stream().map(RetryAfterTest::until).toList(), NOW);
    }

    @Test
    @DisplayName("is when the first hold ends, but neither at once nor much later")
    void first() {
        assertThat(after(NOW.plusSeconds(4), NOW.plusSeconds(2), Times.NEVER)).isEqualTo(Duration.ofSeconds(2));
        assertThat(after(NOW.plusSeconds(30))).isEqualTo(Duration.ofSeconds(5));
        assertThat(after(NOW.plusMillis(3))).isEqualTo(Duration.ofMillis(100));
        assertThat(after(NOW.minusSeconds(3))).isEqualTo(Duration.ofMillis(100));
        assertThat(after(Times.NEVER)).isEqualTo(Duration.ofSeconds(5));
        assertThat(after()).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    @DisplayName("costs no more for a hold that never ends: a batch asks for it ten thousand times, on its event loop")
    void cheap() {
        assertThat(allocated(Times.NEVER)).isLessThan(2 * allocated(NOW.plusSeconds(30)));
    }

    /** Bytes, among them the traces of exceptions nobody sees. */
    private static long allocated(Instant end) {
        List<Hold> holds = List.of(until(end));
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < 10_000; i++) {
            assertThat(RetryAfter.of(holds, NOW)).isEqualTo(Duration.ofSeconds(5));
        }
        return threads.getCurrentThreadAllocatedBytes() - before;
    }
}
