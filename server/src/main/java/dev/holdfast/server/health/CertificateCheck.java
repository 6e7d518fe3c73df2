package dev.holdfast.server.health;

import dev.holdfast.server.health.HealthPart.Name;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Whether clients can trust the certificate the server shows.
 *
 * @param certificate what is in use; empty without TLS
 */
public record CertificateCheck(Supplier<Optional<InUse>> certificate, Clock clock) {
    /** Renewals happen weeks before the end; what is left by now was forgotten. */
    private static final Duration SOON = Duration.ofDays(7);

    /**
     * The certificate in use.
     *
     * @param expires from when on nobody trusts it
     * @param changedFiles what is wrong with files that were put in its place and are not used
     */
    public record InUse(Instant expires, Optional<String> changedFiles) {}

    HealthPart look() {
        Optional<InUse> inUse = certificate.get();
        if (inUse.isEmpty()) {
            return HealthPart.off(Name.CERTIFICATE, "This server speaks plain HTTP.");
        }
        Instant end = inUse.get().expires();
        if (!end.isAfter(clock.instant())) {
            return HealthPart.down(
                    Name.CERTIFICATE,
                    "the TLS certificate of this server expired at " + end
                            + ": clients refuse it. Put a new one in its place (server.tls.certificate); no restart is needed");
        }
        if (inUse.get().changedFiles().isPresent()) {
            return HealthPart.warn(
                    Name.CERTIFICATE,
                    "Changed TLS files are not used, the previous certificate stays until " + end
                            + "; the log of the server says what is wrong with them.");
        }
        return end.isAfter(clock.instant().plus(SOON))
                ? HealthPart.up(Name.CERTIFICATE, "It is good until " + end + ".")
                : HealthPart.warn(Name.CERTIFICATE, "It expires soon, at " + end + ".");
    }
}
