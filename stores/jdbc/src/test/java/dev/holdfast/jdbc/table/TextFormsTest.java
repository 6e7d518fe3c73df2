package dev.holdfast.jdbc.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.model.Times;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("texts in the database")
class TextFormsTest {
    @Test
    @DisplayName("a time comes back as it was, and texts sort like times")
    void times() {
        Random random = new Random(1);
        Instant before = Instant.EPOCH;
        for (int i = 0; i < 1_000; i++) {
            Instant time = Times.ofMicros(Math.floorMod(random.nextLong(), Times.micros(Times.NEVER)));
            assertThat(Utc.time(Utc.text(time))).isEqualTo(time);
            assertThat(Integer.signum(Utc.text(time).compareTo(Utc.text(before))))
                    .isEqualTo(Integer.signum(time.compareTo(before)));
            before = time;
        }
        assertThat(Utc.text(Instant.parse("2026-11-05T02:04:03.000456Z"))).isEqualTo("2026-11-05 02:04:03.000456");
        assertThat(Utc.text(Instant.EPOCH)).isEqualTo("1970-01-01 00:00:00.000000");
        assertThat(Utc.text(Times.NEVER)).isEqualTo("9999-12-31 23:59:59.000000");
        assertThatExceptionOfType(DateTimeException.class).isThrownBy(() -> Utc.time("yesterday"));
    }

    @Test
    @DisplayName("a prefix ends where the next one begins")
    void prefixes() {
        assertThat(Prefix.end("a")).contains("b");
        assertThat(Prefix.end("a%")).contains("a&");
        assertThat(Prefix.end("a\ud7ff")).contains("a\ue000");
        assertThat(Prefix.end("a\udbff\udfff")).contains("b");
        assertThat(Prefix.end("\udbff\udfff")).isEmpty();
        assertThat(Prefix.end("é😀")).contains("é😁");
    }
}
