package dev.holdfast.cli.locks;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.Holder;
import dev.holdfast.Lease;
import dev.holdfast.cli.text.Ages;
import dev.holdfast.cli.text.Ink;
import dev.holdfast.cli.text.Output;
import dev.holdfast.wire.Rfc3339;
import dev.holdfast.wire.json.Json;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * A lease as its holder sees it, with the names of {@code POST /v2/locks/acquire}.
 *
 * @param lease what was taken
 * @param seen how others see it; empty if it was so short that it had ended when looked at
 * @param length how long it was asked for
 */
record LeaseText(Lease lease, Optional<Holder> seen, Duration length) {
    void write(JsonGenerator json) throws IOException {
        Json.build()
                .with("namespace", lease.key().namespace())
                .with("name", lease.key().name())
                .with("path", lease.key().path().value())
                .ifPresent("mode", seen.map(it -> it.mode().label()))
                .ifPresent("owner", seen.map(Holder::owner))
                .with("lease_id", lease.leaseId().value())
                .with("fencing_token", lease.token().value())
                .ifPresent("granted_at", seen.map(it -> Rfc3339.text(it.grantedAt())))
                .with("expires_at", lease.expiresAt().map(Rfc3339::text))
                .with("lease_ms", length.toMillis())
                .build()
                .writeTo(json);
    }

    void print(Output output) {
        line(output, "lease_id       ", lease.leaseId().value());
        line(output, "fencing_token  ", lease.token().toString());
        lease.expiresAt()
                .ifPresent(end -> line(output, "expires_at     ", Rfc3339.text(end) + " (in " + Ages.of(length) + ")"));
    }

    private static void line(Output output, String label, String value) {
        output.println(output.painted(Ink.QUIET, label) + value);
    }
}
