package dev.holdfast.server.admin;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.internal.engine.LockEngine;
import dev.holdfast.server.health.DiskCheck;
import dev.holdfast.server.observe.load.StoreOutcomes;
import dev.holdfast.spi.EventLog;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.StoreTraits;
import dev.holdfast.wire.json.JsonText;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * What is known of the store without asking it: its traits, how the last requests went, how large its files are.
 *
 * @param stateKind what keeps the state of stacks; empty if nothing does
 * @param waiting requests that wait for a lock now
 */
public record StoreFacts(
        LockEngine engine,
        RecordStore store,
        StoreOutcomes outcomes,
        DiskCheck disk,
        Supplier<Optional<String>> stateKind,
        IntSupplier waiting) {

    /** Writes them as members of an object; blocks while files are looked at. */
    void write(JsonGenerator json) throws IOException {
        StoreTraits traits = store.traits();
        json.writeStringField("store", traits.name());
        json.writeBooleanField("exclusive", traits.exclusive());
        json.writeBooleanField("blocking", traits.blocking());
        json.writeNumberField("writers", traits.writers());
        json.writeNumberField("max_batch", traits.maxBatch());
        json.writeNumberField("poll_ms", traits.pollInterval().toMillis());
        json.writeBooleanField("history", engine.config().history() && store instanceof EventLog);
        json.writeNumberField("events_lost", store instanceof EventLog log ? log.lost() : 0);
        Optional<Duration> error = store.clock().now().map(time -> Duration.between(time.earliest(), time.latest()));
        json.writeObjectField(
                "clock_error_ms", error.map(it -> it.toNanos() / 1e6).orElse(null));
        json.writeNumberField("writes_made", engine.writesMade());
        json.writeStringField(
                "write_failure",
                engine.writeFailure()
                        .map(failure -> String.valueOf(failure.getMessage()))
                        .orElse(null));
        JsonText.values(
                json,
                "failing_operations",
                outcomes.failing(),
                (out, operation) -> out.writeString(operation.name().toLowerCase(Locale.ROOT)));
        json.writeNumberField("waiting_requests", waiting.getAsInt());
        json.writeStringField("state_store", stateKind.get().orElse(null));
        OptionalLong free = disk.leastFree();
        json.writeObjectField("free_bytes", free.isPresent() ? free.getAsLong() : null);
        JsonText.objects(json, "files", disk.files(), (out, file) -> {
            out.writeStringField("name", file.name());
            out.writeNumberField("size_bytes", file.bytes());
        });
    }
}
