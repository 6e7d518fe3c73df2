package dev.holdfast.server.health;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.holdfast.server.health.HealthPart.Name;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

@DisplayName("the log about an outage")
class OutagesTest {
    private static final HealthPart DOWN = HealthPart.down(Name.STORE, "connection refused");
    private static final HealthPart UP = HealthPart.up(Name.STORE, "");

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final AtomicLong now = new AtomicLong(-5);
    private final Outages outages = new Outages(now::get);

    @BeforeEach
    void listen() {
        log.start();
        ((Logger) LoggerFactory.getLogger(Outages.class)).addAppender(log);
    }

    @AfterEach
    void leave() {
        ((Logger) LoggerFactory.getLogger(Outages.class)).detachAppender(log);
    }

    private void see(HealthPart part, int seconds) {
        for (int i = 0; i < seconds; i++) {
            outages.see(List.of(part));
            now.addAndGet(Duration.ofSeconds(1).toNanos());
        }
    }

    private List<String> lines() {
        return log.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
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
