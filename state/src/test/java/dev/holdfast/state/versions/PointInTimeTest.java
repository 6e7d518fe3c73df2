package dev.holdfast.state.versions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("a time as it is given")
class PointInTimeTest {
    @ParameterizedTest
    @CsvSource({
        "2026-11-16,                       2026-11-16T00:00:00Z,        2026-11-17T00:00:00Z",
        "2026-11-16T14:31,                 2026-11-16T14:31:00Z,        2026-11-16T14:32:00Z",
        "2026-11-16 14:31,                 2026-11-16T14:31:00Z,        2026-11-16T14:32:00Z",
        "2026-11-16T14:31Z,                2026-11-16T14:31:00Z,        2026-11-16T14:32:00Z",
        "2026-11-16T14:31:12,              2026-11-16T14:31:12Z,        2026-11-16T14:31:13Z",
        "2026-11-16T14:31:12Z,             2026-11-16T14:31:12Z,        2026-11-16T14:31:13Z",
        "2026-11-16T15:31:12+01:00,        2026-11-16T14:31:12Z,        2026-11-16T14:31:13Z",
        "2026-11-16T15:31:12+0100,         2026-11-16T14:31:12Z,        2026-11-16T14:31:13Z",
        "2026-11-16T14:31:12.123Z,         2026-11-16T14:31:12.123Z,    2026-11-16T14:31:12.124Z",
        "2026-11-16T14:31:12.123456Z,      2026-11-16T14:31:12.123456Z, 2026-11-16T14:31:12.123457Z",
        "2026-11-16T14:31:12.123456789Z,   2026-11-16T14:31:12.123456Z, 2026-11-16T14:31:12.123457Z",
    })
    @DisplayName("means all of the day, minute, second or fraction that was given, in UTC unless it says otherwise")
    void units(String text, String from, String until) {
        assertThat(PointInTime.parse(text)).isEqualTo(new PointInTime(Instant.parse(from), Instant.parse(until)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "now",
                "2026",
                "2026-11",
                "2026-02-30",
                "2026-11-16T",
                "2026-11-16T14",
                "2026-11-16T25:00",
                "2026-11-16T14:31:12.Z",
                "2026-11-16T14:31:12.1234567890Z",
                "2026-11-16T14:31+99:00",
                "16.11.2026",
                "2026-11-16T14:31:12Z "
            })
    @DisplayName("that is none is refused with examples")
    void malformed(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PointInTime.parse(text))
                .withMessageContaining("2026-11-16T11:05:12Z");
    }

    @Test
    @DisplayName("is shown as precisely as it was given, and may be beyond all calendars")
    void shown() {
        assertThat(PointInTime.parse("2026-11-16")).hasToString("2026-11-16");
        assertThat(PointInTime.parse("2026-11-16T14:31")).hasToString("2026-11-16T14:31Z");
        assertThat(PointInTime.parse("2026-11-16T14:31:12.5Z")).hasToString("2026-11-16T14:31:12.500Z");
        assertThat(PointInTime.of(Instant.MAX).until()).isAfter(Instant.parse("9999-12-31T00:00:00Z"));
    }
}
