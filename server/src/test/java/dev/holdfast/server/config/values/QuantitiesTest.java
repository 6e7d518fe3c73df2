package dev.holdfast.server.config.values;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantitiesTest {
    private static <T> T read(ValueKind<T> kind, String text) throws ValueRefusal {
        return kind.read(Value.Text.of(text));
    }

    @ParameterizedTest
    @DisplayName("a time is a number and its unit, or several of them")
    @CsvSource({"500ms,500", "30s,30000", "2m,120000", "24h,86400000", "90d,7776000000", "1h30m,5400000", "0s,0"})
    void durations(String text, long millis) throws Exception {
        assertThat(read(Quantities.duration("0s", "90d"), text)).isEqualTo(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @DisplayName("no time: no unit, unknown unit, decimals, negative, empty, too many digits")
    @ValueSource(strings = {"30", "30 s", "1.5h", "-1s", "", "s", "1w", "9999999999999s", "٣s"})
    void noDuration(String text) {
        assertThatThrownBy(() -> read(Quantities.duration("0s", "90d"), text))
                .isInstanceOf(ValueRefusal.class)
                .hasMessageContaining("with its unit");
    }

    @ParameterizedTest
    @DisplayName(
            "the ends of a range are allowed, what is beyond them is not, however far; the last is 2^64 ms and 30 s")
    @ValueSource(strings = {"999ms", "61s", "999999999999d", "999999999999d999999999999d", "213503982334d51981616ms"})
    void durationRange(String text) throws Exception {
        ValueKind<Duration> kind = Quantities.duration("1s", "60s");
        assertThat(read(kind, "1s")).isEqualTo(Duration.ofSeconds(1));
        assertThat(read(kind, "1m")).isEqualTo(Duration.ofSeconds(60));
        assertThatThrownBy(() -> read(kind, text)).hasMessageContaining("must be between 1s and 60s");
    }

    @Test
    @DisplayName("a size is a number of B, KB, MB or GB of 1024 each")
    void sizes() throws Exception {
        ValueKind<Long> kind = Quantities.size("1B", "1GB");
        assertThat(read(kind, "512B")).isEqualTo(512);
        assertThat(read(kind, "16kb")).isEqualTo(16 * 1024);
        assertThat(read(kind, "1GB")).isEqualTo(1 << 30);
        assertThatThrownBy(() -> read(kind, "16")).hasMessageContaining("with its unit");
        assertThatThrownBy(() -> read(kind, "2GB")).hasMessageContaining("between 1B and 1GB");
        assertThatThrownBy(() -> read(kind, "999999999999GB")).hasMessageContaining("between 1B and 1GB");
    }

    @ParameterizedTest
    @DisplayName("a whole number is written in digits")
    @ValueSource(strings = {"1.0", "1e3", "0x10", "1_000", "ten", "", "99999999999999999999"})
    void noInteger(String text) {
        assertThatThrownBy(() -> read(Quantities.integer(0, 100), text))
                .hasMessageContaining("a whole number between 0 and 100");
    }

    @Test
    @DisplayName("numbers keep to their range")
    void ranges() throws Exception {
        assertThat(read(Quantities.integer(0, 100), "100")).isEqualTo(100);
        assertThatThrownBy(() -> read(Quantities.integer(0, 100), "101")).hasMessageContaining("between 0 and 100");
        assertThatThrownBy(() -> read(Quantities.integer(0, 100), "-1")).hasMessageContaining("between 0 and 100");
        assertThat(read(Quantities.decimal(0, 1), "0.25")).isEqualTo(0.25);
        assertThatThrownBy(() -> read(Quantities.decimal(0, 1), "1.1")).hasMessageContaining("between 0.0 and 1.0");
        assertThatThrownBy(() -> read(Quantities.decimal(0, 1), "NaN")).hasMessageContaining("a number");
    }
}
