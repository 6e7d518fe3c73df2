package dev.holdfast.server.observe.logs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.testkit.Await;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

@DisplayName("the level of a logger")
class LogLevelsTest {
    private static final String NAME = "dev.holdfast.somewhere";
    private static final Logger BELOW = LoggerFactory.getLogger(NAME + ".Below");

    private final LogLevels levels = new LogLevels(Level.INFO, Clock.systemUTC());

    @BeforeEach
    void start() {
        levels.configured(Level.INFO); // as a server does, whatever other tests have left
    }

    @AfterEach
    void close() {
        levels.configured(Level.INFO);
        levels.close();
    }

    @Test
    @DisplayName("counts at once, for all loggers below it, and can be taken back")
    void changed() {
        assertThat(BELOW.isDebugEnabled()).isFalse();
        levels.change(NAME, Level.DEBUG, Optional.empty());
        assertThat(BELOW.isDebugEnabled()).isTrue();
        assertThat(levels.changes()).containsExactly(new LogLevels.LevelChange(NAME, Level.DEBUG, Optional.empty()));
        assertThat(levels.back(NAME)).isTrue();
        assertThat(BELOW.isDebugEnabled()).isFalse();
        assertThat(levels.back(NAME)).isFalse();
    }

    @Test
    @DisplayName("goes back by itself after its time; a second change takes the place of the first")
    void forAWhile() {
        levels.change(NAME, Level.ERROR, Optional.of(Duration.ofHours(1)));
        levels.change(NAME, Level.DEBUG, Optional.of(Duration.ofSeconds(2)));
        assertThat(BELOW.isDebugEnabled()).isTrue();
        Await.until("its time is over", () -> levels.changes().isEmpty());
        assertThat(BELOW.isDebugEnabled()).isFalse();
        assertThat(BELOW.isInfoEnabled()).isTrue();
    }

    @Test
    @DisplayName("is that of the settings again when they are read again")
    void configured() {
        levels.change(LogLevels.OWN, Level.DEBUG, Optional.empty());
        assertThat(BELOW.isDebugEnabled()).isTrue();
        levels.configured(Level.WARN);
        assertThat(BELOW.isInfoEnabled()).isFalse();
        assertThat(BELOW.isWarnEnabled()).isTrue();
        assertThat(levels.changes()).isEmpty();
    }

    @Test
    @DisplayName("of the audit cannot be changed, nor can a library be made to tell everything; names are bounded")
    void refused() {
        assertThatThrownBy(() -> LogLevels.logger("holdfast.audit")).hasMessageContaining("audit");
        assertThatThrownBy(() -> LogLevels.logger("holdfast")).hasMessageContaining("audit");
        assertThatThrownBy(() -> LogLevels.logger("ROOT")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> LogLevels.logger("a b")).hasMessageContaining("name of a logger");
        assertThatThrownBy(() -> LogLevels.level("loud")).hasMessageContaining("error, warn, info or debug");
        assertThat(LogLevels.objection("org.postgresql", Level.DEBUG)).isPresent();
        assertThat(LogLevels.objection("org.postgresql", Level.INFO)).isEmpty();
        assertThat(LogLevels.objection(NAME, Level.DEBUG)).isEmpty();
        for (int i = 0; i < LogLevels.MOST; i++) {
            levels.change(NAME + ".of" + i, Level.WARN, Optional.empty());
        }
        assertThatThrownBy(() -> levels.change(NAME + ".more", Level.WARN, Optional.empty()))
                .hasMessageContaining("no more than");
    }
}
