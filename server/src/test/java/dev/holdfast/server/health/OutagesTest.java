package dev.holdfast.server.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.health.HealthPart.Name;
import dev.holdfast.server.observe.logs.LoggedLines;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("the log about an outage")
class OutagesTest {
    private static final HealthPart DOWN = HealthPart.down(Name.STORE, "connection refused");
    private static final HealthPart UP = HealthPart.up(Name.STORE, "");

    private final LoggedLines log = LoggedLines.of(Outages.class);
    private final AtomicLong now = new AtomicLong(-5);
    private final Outages outages = new Outages(now::get);

    @AfterEach
    void leave() {
        log.close();
    }

    private void see(HealthPart part, int seconds) {
        for (int i = 0; i < seconds; i++) {
            outages.see(List.of(part));
            now.addAndGet(Duration.ofSeconds(1).toNanos());
        }
    }

    private List<String> lines() {
        return log.lines();
    }

    @Test
    @DisplayName("is one line at its begin and one at its end, with how long it took")
    void once() {
        see(UP, 3);
        assertThat(lines()).isEmpty();
        see(DOWN, 42);
        assertThat(lines()).containsExactly("The store does not work: connection refused");
        see(UP, 10);
        assertThat(lines())
                .containsExactly("The store does not work: connection refused", "The store works again after 42 s");
    }

    @Test
    @DisplayName("tells of one that comes and goes as of one, until it has worked for three seconds")
    void settles() {
        for (int i = 0; i < 20; i++) {
            see(DOWN, 1);
            see(UP, 2);
        }
        assertThat(lines()).hasSize(1);
        see(UP, 3);
        assertThat(lines()).hasSize(2);
        assertThat(lines().get(1)).isEqualTo("The store works again after 58 s");
    }

    @Test
    @DisplayName("knows the parts apart")
    void parts() {
        HealthPart disk = HealthPart.down(Name.DISK, "nearly full");
        outages.see(List.of(DOWN, disk));
        outages.see(List.of(DOWN, disk));
        assertThat(lines()).hasSize(2);
    }
}
