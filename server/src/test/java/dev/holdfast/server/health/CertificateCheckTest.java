package dev.holdfast.server.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("the check of the certificate")
class CertificateCheckTest {
    private static final Instant NOW = Instant.parse("2026-11-16T11:05:12Z");

    private static HealthPart.Status after(Duration left, Optional<String> wrong) {
        return new CertificateCheck(
                        () -> Optional.of(new CertificateCheck.InUse(NOW.plus(left), wrong)),
                        Clock.fixed(NOW, ZoneOffset.UTC))
                .look()
                .status();
    }

    @Test
    @DisplayName("is down once it expired, warns a week before and while changed files are not used")
    void expiry() {
        assertThat(after(Duration.ofDays(8), Optional.empty())).isEqualTo(HealthPart.Status.UP);
        assertThat(after(Duration.ofDays(7), Optional.empty())).isEqualTo(HealthPart.Status.WARN);
        assertThat(after(Duration.ofSeconds(1), Optional.empty())).isEqualTo(HealthPart.Status.WARN);
        assertThat(after(Duration.ZERO, Optional.empty())).isEqualTo(HealthPart.Status.DOWN);
        assertThat(after(Duration.ofDays(-1), Optional.of("damaged"))).isEqualTo(HealthPart.Status.DOWN);
        assertThat(after(Duration.ofDays(80), Optional.of("damaged"))).isEqualTo(HealthPart.Status.WARN);
        assertThat(new CertificateCheck(Optional::empty, Clock.systemUTC())
                        .look()
                        .status())
                .isEqualTo(HealthPart.Status.OFF);
    }
}
