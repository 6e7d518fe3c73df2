package dev.holdfast.spi;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.spi.time.LocalTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Waiting for a store that is not there yet. */
final class ConnectWaitTest {
    private static final String URL = "postgresql://app:secret@db/locks";

    private final List<Long> pauses = new ArrayList<>();
    private final List<String> asked = new ArrayList<>();
    private long now;

    private final ConnectWait wait = new ConnectWait(
            new LocalTime() {
                @Override
                public long nanos() {
                    return now;
                }

                @Override
                public Instant wall() {
                    return Instant.EPOCH.plusNanos(now);
                }
            },
            millis -> {
                pauses.add(millis);
                now += Duration.ofMillis(millis).toNanos();
            });

    private Function<String, String> thereAfter(Duration time) {
        return url -> {
            asked.add(url);
            if (now < time.toNanos()) {
                throw new StoreUnavailableException("Cannot use it; check that it runs", null);
            }
            return "open";
        };
    }

    @Test
    @DisplayName("a store that comes within the wait is opened, and was tried with growing pauses")
    void waits() {
        assertThat(wait.tryUntil(URL, ofSeconds(30), thereAfter(ofSeconds(20)))).isEqualTo("open");
        assertThat(pauses.get(0)).isBetween(25L, 50L);
        assertThat(pauses).allMatch(pause -> pause <= 1_600);
        assertThat(pauses).hasSizeBetween(15, 40);
    }

    @Test
    @DisplayName(
            "a store that does not come is given up when the wait is over, with its last words and how to wait longer")
    void givesUp() {
        assertThatThrownBy(() -> wait.tryUntil(URL, ofSeconds(5), thereAfter(ofSeconds(20))))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageStartingWith("Cannot use it; check that it runs (tried for 5 s")
                .hasMessageContaining("connect_wait");
        assertThat(now).isBetween(ofSeconds(5).toNanos(), ofSeconds(6).toNanos());
    }

    @Test
    @DisplayName("without a wait there is one attempt")
    void once() {
        assertThatThrownBy(() -> wait.tryUntil(URL, ZERO, thereAfter(ofSeconds(1))))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessage("Cannot use it; check that it runs");
        assertThat(asked).hasSize(1);
    }

    @Test
    @DisplayName("what waiting cannot mend is told at once")
    void permanent() {
        for (RuntimeException failure : List.of(
                new StoreUnusableException("wrong password", null),
                new AccessRefusedException("not allowed", null),
                new OutcomeUnknownException("who knows", null),
                new IllegalArgumentException("no such scheme"))) {
            assertThatThrownBy(() -> wait.tryUntil(URL, ofSeconds(30), url -> {
                        throw failure;
                    }))
                    .isSameAs(failure);
        }
        assertThat(pauses).isEmpty();
    }

    @Test
    @DisplayName("the URL's own wait goes first, and the store does not see it")
    void parameter() {
        assertThatThrownBy(
                        () -> wait.tryUntil(URL + "?a=b&connect_wait=2s&c=d", ofSeconds(30), thereAfter(ofSeconds(20))))
                .isInstanceOf(StoreUnavailableException.class);
        assertThat(now).isBetween(ofSeconds(2).toNanos(), ofSeconds(3).toNanos());
        assertThat(asked).containsOnly(URL + "?a=b&c=d");

        assertThat(ConnectWait.without("sqlite:a.db?connect_wait=0")).isEqualTo("sqlite:a.db");
        assertThat(ConnectWait.without("sqlite:a.db?mode=shared")).isEqualTo("sqlite:a.db?mode=shared");
        assertThat(ConnectWait.with("sqlite:a.db", ofSeconds(2))).isEqualTo("sqlite:a.db?connect_wait=2000ms");
        assertThat(ConnectWait.with("sqlite:a.db?connect_wait=1m", ofSeconds(2)))
                .isEqualTo("sqlite:a.db?connect_wait=1m");
    }

    @Test
    @DisplayName("a wait that is none is refused by name")
    void notADuration() {
        for (String wrong : List.of("soon", "-1s", "30", "2h")) {
            assertThatThrownBy(() -> wait.tryUntil(URL + "?connect_wait=" + wrong, ZERO, thereAfter(ZERO)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("connect_wait");
        }
    }

    @Test
    @DisplayName("an interrupt ends the wait, and is kept")
    void interrupted() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> ConnectWait.open(URL, ofSeconds(30), thereAfter(ofSeconds(20))))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("Interrupted");
        assertThat(Thread.interrupted()).isTrue();
    }
}
