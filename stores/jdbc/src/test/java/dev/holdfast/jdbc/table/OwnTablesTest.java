package dev.holdfast.jdbc.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("tables of Holdfast that were made again")
class OwnTablesTest {
    @Test
    @DisplayName(
            "say for how long nobody may lock if the newest token is ahead of the clock, as other messages write times")
    void ahead() {
        assertThat(OwnTables.ahead(micros(Duration.ofHours(1))))
                .hasValueSatisfying(text -> assertThat(text).endsWith("let nobody take locks for another 1h1s"));
        assertThat(OwnTables.ahead(micros(Duration.ofSeconds(89))))
                .hasValueSatisfying(text -> assertThat(text).endsWith("for another 1m30s"));
        assertThat(OwnTables.ahead(1))
                .hasValueSatisfying(text -> assertThat(text).endsWith("for another 1s"));
    }

    @Test
    @DisplayName("say nothing if it is not")
    void notAhead() {
        assertThat(OwnTables.ahead(0)).isEmpty();
        assertThat(OwnTables.ahead(-1)).isEmpty();
    }

    private static long micros(Duration time) {
        return time.toNanos() / 1_000;
    }
}
