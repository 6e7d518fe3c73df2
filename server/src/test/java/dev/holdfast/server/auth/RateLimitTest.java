package dev.holdfast.server.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("requests per caller")
class RateLimitTest {
    // Just before the counter wraps: time is a difference, never a number.
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
    private final RateLimit limit = new RateLimit(new RateLimit.Config(10, 3, 4), nanos::get);

    @Test
    @DisplayName("a burst, then the rate; and the answer says exactly when to come back")
    void bucket() {
        assertThat(allowed("alice", 3)).isEqualTo(3);
        assertThat(ask("alice").orElseThrow()).isBetween(Duration.ofMillis(100), Duration.ofMillis(101));

        pass(Duration.ofMillis(99));
        assertThat(ask("alice")).isPresent();
        pass(Duration.ofMillis(2));
        assertThat(ask("alice")).isEmpty();
        assertThat(ask("alice")).isPresent();
    }

    @Test
    @DisplayName("refused requests cost nothing, and a long silence saves up one burst, no more")
    void refill() {
        assertThat(allowed("alice", 1_000)).isEqualTo(3);
        pass(Duration.ofMillis(101));
        assertThat(allowed("alice", 10)).isEqualTo(1);
        pass(Duration.ofHours(1));
        assertThat(allowed("alice", 10)).isEqualTo(3);
    }

    @Test
    @DisplayName("one caller's flood leaves the others alone, also one of the same name from elsewhere")
    void apart() {
        assertThat(allowed("alice", 10)).isEqualTo(3);
        assertThat(allowed("bob", 10)).isEqualTo(3);
        Principal token = new Principal("alice", Grants.NONE, Principal.CredentialOrigin.API_TOKEN);
        assertThat(limit.admit(token, "10.0.0.1")).isEmpty();
    }

    @Test
    @DisplayName("anonymous callers count by address, and in IPv6 by network")
    void addresses() {
        assertThat(anonymous("10.0.0.1", 10)).isEqualTo(3);
        assertThat(anonymous("10.0.0.2", 10)).isEqualTo(3);
        assertThat(anonymous("2001:db8::1", 2)).isEqualTo(2);
        assertThat(anonymous("2001:db8:0:0:ffff::2", 10)).isEqualTo(1);
        assertThat(anonymous("2001:db8:0:1::1", 10)).isEqualTo(3);
        assertThat(anonymous("fe80::1%eth0", 10)).isEqualTo(3);
        assertThat(anonymous("no:address", 10)).isEqualTo(3);
    }

    @Test
    @DisplayName(
            "strangers share the bucket of their address, whatever name they try, and it is a tenth of a known caller's")
    void strangers() {
        RateLimit usual = new RateLimit(new RateLimit.Config(20, 40, 10), nanos::get);
        assertThat(IntStream.range(0, 100)
                        .filter(i -> usual.admitStranger("10.0.0.1").isEmpty())
                        .count())
                .isEqualTo(4);
        assertThat(usual.admitStranger("10.0.0.2")).isEmpty();
        assertThat(usual.admit(Principal.ANONYMOUS, "10.0.0.1")).isEmpty();
        assertThat(limit.admitStranger("10.0.0.1")).as("one is always possible").isEmpty();
    }

    @Test
    @DisplayName("where nobody is asked, this machine is not limited; strangers on it are")
    void thisMachine() {
        for (String here : new String[] {"127.0.0.1", "0:0:0:0:0:0:0:1"}) {
            assertThat(anonymous(here, 1_000)).isEqualTo(1_000);
            assertThat(IntStream.range(0, 10)
                            .filter(i -> limit.admitStranger(here).isEmpty())
                            .count())
                    .isEqualTo(1);
        }
    }

    @Test
    @DisplayName("the number of remembered callers is bounded; the one not seen for longest is forgotten")
    void bounded() {
        assertThat(allowed("alice", 3)).isEqualTo(3);
        assertThat(allowed("bob", 3)).isEqualTo(3);
        assertThat(ask("alice")).isPresent();
        allowed("carol", 1);
        allowed("dave", 1);
        allowed("eve", 1);

        assertThat(ask("alice")).as("seen after bob").isPresent();
        assertThat(ask("bob")).as("forgotten").isEmpty();
    }

    @Test
    @DisplayName("rate 0 is no limit, and wrong settings are refused")
    void settings() {
        RateLimit none = new RateLimit(RateLimit.Config.UNLIMITED, nanos::get);
        assertThat(IntStream.range(0, 10_000).mapToObj(i -> none.admit(Principal.ANONYMOUS, "x")))
                .allMatch(Optional::isEmpty);
        assertThatThrownBy(() -> new RateLimit.Config(-1, 1, 1)).hasMessageContaining("per second");
        assertThatThrownBy(() -> new RateLimit.Config(1, 0, 1)).hasMessageContaining("burst");
        assertThatThrownBy(() -> new RateLimit.Config(1, 1, 0)).hasMessageContaining("callers");
    }

    @Test
    @DisplayName("many threads together get no more than one would")
    void threads() throws InterruptedException {
        RateLimit shared = new RateLimit(new RateLimit.Config(1, 1_000, 10), () -> 0);
        Principal alice = new Principal("alice", Grants.NONE, Principal.CredentialOrigin.JWT);
        AtomicInteger allowed = new AtomicInteger();
        Thread[] threads = IntStream.range(0, 4)
                .mapToObj(i -> new Thread(() -> IntStream.range(0, 1_000)
                        .filter(n -> shared.admit(alice, "x").isEmpty())
                        .forEach(n -> allowed.incrementAndGet())))
                .toArray(Thread[]::new);
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(allowed).hasValue(1_000);
    }

    private Optional<Duration> ask(String name) {
        return limit.admit(new Principal(name, Grants.NONE, Principal.CredentialOrigin.JWT), "10.0.0.1");
    }

    private long allowed(String name, int requests) {
        return IntStream.range(0, requests).filter(i -> ask(name).isEmpty()).count();
    }

    private long anonymous(String address, int requests) {
        return IntStream.range(0, requests)
                .filter(i -> limit.admit(Principal.ANONYMOUS, address).isEmpty())
                .count();
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }
}
