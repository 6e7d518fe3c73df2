package dev.holdfast.cli.locks;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.Holder;
import dev.holdfast.Lease;
import dev.holdfast.cli.text.Ages;
import dev.holdfast.cli.text.Ink;
import dev.holdfast.cli.text.Output;
import dev.holdfast.wire.Rfc3339;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
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
        json.writeStartObject();
        json.writeStringField("namespace", lease.key().namespace());
        json.writeStringField("name", lease.key().name());
        json.writeStringField("path", lease.key().path().value());
        if (seen.isPresent()) {
            json.writeStringField("mode", seen.get().mode().label());
            json.writeStringField("owner", seen.get().owner());
        }
        json.writeStringField("lease_id", lease.leaseId().value());
        json.writeNumberField("fencing_token", lease.token().value());
        if (seen.isPresent()) {
            json.writeStringField("granted_at", Rfc3339.text(seen.get().grantedAt()));
        }
        Optional<Instant> end = lease.expiresAt();
        json.writeStringField("expires_at", end.map(Rfc3339::text).orElse(null));
        json.writeNumberField("lease_ms", length.toMillis());
        json.writeEndObject();
    }

    void print(Output output) {
        PrintWriter out = output.out();
        out.println(
                output.painted(Ink.QUIET, "lease_id       ") + lease.leaseId().value());
        out.println(output.painted(Ink.QUIET, "fencing_token  ") + lease.token());
        lease.expiresAt()
                .ifPresent(end -> out.println(output.painted(Ink.QUIET, "expires_at     ") + Rfc3339.text(end) + " (in "
                        + Ages.of(length) + ")"));
    }
}
