package dev.holdfast.state.terraform;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("how long a place is kept for the next poll")
class PollsTest {
    private final AtomicLong now = new AtomicLong();
    private final Polls polls = new Polls(now::get);

    private List<Long> keeps(int... secondsBetween) {
        List<Long> keeps = new ArrayList<>();
        polls.poll("x");
        for (int seconds : secondsBetween) {
            now.addAndGet(Duration.ofSeconds(seconds).toNanos());
            keeps.add(polls.poll("x").keep().toMillis());
        }
        return keeps;
    }

    @Test
    @DisplayName("always longer than terraform, which doubles its interval up to 16 seconds, takes to come back")
    void terraform() {
        assertThat(keeps(1, 2, 4, 8, 16, 16)).containsExactly(3_000L, 6_000L, 12_000L, 20_000L, 20_000L, 20_000L);
    }

    @Test
    @DisplayName("one and a half times the interval of who is steady; never under a second, nor above twenty")
    void steady() {
        assertThat(keeps(4, 4, 4)).containsExactly(12_000L, 6_000L, 6_000L);
        assertThat(keeps(0, 0)).containsExactly(1_000L, 1_000L);
        assertThat(keeps(50, 50)).containsExactly(20_000L, 20_000L);
    }

    @Test
    @DisplayName("the first poll, and one after a long silence, is none of somebody who waits")
    void first() {
        assertThat(polls.poll("x").again()).isFalse();
        assertThat(polls.poll("x").again()).isTrue();
        now.addAndGet(Duration.ofMinutes(2).toNanos());
        assertThat(polls.poll("x").again()).isFalse();
        polls.forget("x");
        assertThat(polls.poll("x").again()).isFalse();
    }

    @Test
    @DisplayName("time at the server does not count")
    void answered() {
        polls.poll("x");
        now.addAndGet(Duration.ofSeconds(30).toNanos());
        polls.answered("x");
        now.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(polls.poll("x").keep()).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    @DisplayName("those not heard of for longest are forgotten when there are too many")
    void bounded() {
        polls.poll("first");
        for (int i = 0; i < 10_000; i++) {
            polls.poll("caller " + i);
        }
        assertThat(polls.poll("first").again()).isFalse();
        assertThat(polls.poll("caller 9999").again()).isTrue();
    }
}
