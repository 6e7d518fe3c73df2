package dev.holdfast.server.routes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.model.RecordKey;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("different locks of one caller")
class LockQuotaTest {
    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 10); // a clock that may overflow
    private final LockQuota quota = new LockQuota(3, Duration.ofHours(24), now::get);

    private boolean admits(String who, String name) {
        return quota.admits(who, new RecordKey("default", name));
    }

    private void pass(Duration time) {
        now.addAndGet(time.toNanos());
    }

    @Test
    @DisplayName(
            "are so many; those in use are no new ones, others have their own, and nobody in particular is not counted")
    void limit() {
        assertThat(admits("a", "1") && admits("a", "2") && admits("a", "3")).isTrue();
        assertThat(admits("a", "4")).isFalse();
        assertThat(admits("a", "1")).isTrue();
        assertThat(quota.admits("a", new RecordKey("other", "1"))).isFalse();
        assertThat(admits("b", "4")).isTrue();
        for (int i = 0; i < 10; i++) {
            assertThat(admits("", "n" + i)).isTrue();
        }
    }

    @Test
    @DisplayName("count for at least half as long as the store keeps their records, and at most as long")
    void forgotten() {
        assertThat(admits("a", "1") && admits("a", "2") && admits("a", "3")).isTrue();
        pass(Duration.ofHours(13));
        assertThat(admits("a", "1")).as("used again").isTrue();
        assertThat(admits("a", "4")).isFalse();
        pass(Duration.ofHours(12));
        assertThat(admits("a", "4")).isTrue();
        assertThat(admits("a", "5")).isTrue();
        assertThat(admits("a", "6")).as("1 still counts").isFalse();
        pass(Duration.ofDays(30));
        assertThat(admits("a", "6") && admits("a", "7") && admits("a", "8")).isTrue();
        assertThat(admits("a", "9")).isFalse();
    }

    @Test
    @DisplayName("of callers that do not come any more are forgotten when others come")
    void gone() {
        for (int i = 0; i < 100; i++) {
            assertThat(admits("caller-" + i, "1")).isTrue();
        }
        assertThat(quota.callers()).isEqualTo(100);
        pass(Duration.ofDays(2));
        assertThat(admits("b", "1")).isTrue();
        assertThat(quota.callers()).isEqualTo(1);
    }
}
