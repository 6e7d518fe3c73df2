package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.holdfast.jdbc.connection.ServerClock;
import dev.holdfast.server.observe.logs.LoggedLines;
import dev.holdfast.spi.time.Anchor;
import dev.holdfast.spi.time.LocalTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("the clock of a database")
class ClockSetTest {
    @Test
    @DisplayName("that was set is told once in the log, with what it shows; one that goes on is not")
    void set() {
        ServerClock clock = new ServerClock(LocalTime.SYSTEM, "now()", row -> Instant.EPOCH);
        try (LoggedLines log = LoggedLines.of(ServerClock.class)) {
            for (int i = 0; i < 3; i++) {
                clock.sample(Anchor.of(LocalTime.SYSTEM), Instant.now());
            }
            assertThat(log.events()).isEmpty();
            for (int i = 0; i < 3; i++) {
                clock.sample(Anchor.of(LocalTime.SYSTEM), Instant.now().plus(Duration.ofMinutes(10)));
            }
            assertThat(log.events()).singleElement().satisfies(line -> {
                assertThat(line.getLevel()).isEqualTo(Level.WARN);
                assertThat(line.getFormattedMessage()).startsWith("The clock of the database was set");
            });
        }
    }
}
