package dev.holdfast.cli.exec;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.Lease;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LostReason;
import dev.holdfast.wire.Rfc3339;
import dev.holdfast.wire.json.Json;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * What happened in one {@code exec}, as a file for whoever started it. Without the lease id, which is the right to release
 * the lock, and without the command, which may hold secrets.
 */
final class ExecReport {
    private static final JsonFactory JSON = new JsonFactory();

    enum Outcome {
        /** The command ran to its end under the lock. */
        ENDED,
        /** The lease was lost, or could not be renewed; the command was stopped, or had ended without protection. */
        LOST,
        BUSY,
        /** The same, and that was all right. */
        SKIPPED,
        /** A signal came before the command ran. */
        INTERRUPTED,
        NOT_STARTED,
        /** The lock could not be asked for. */
        FAILED
    }

    private final LockKey key;
    private final String owner;
    private final long askedAt = System.nanoTime();

    private Optional<Long> token = Optional.empty();
    private Optional<Duration> waited = Optional.empty();
    private Optional<Instant> startedAt = Optional.empty();
    private long startedNanos;
    private Optional<Instant> endedAt = Optional.empty();
    private Duration ran = Duration.ZERO;
    private Optional<LostReason> lostFor = Optional.empty();
    private Optional<String> heldBy = Optional.empty();
    private int runs = 1;
    private Outcome outcome = Outcome.FAILED;

    ExecReport(LockKey key, String owner) {
        this.key = key;
        this.owner = owner;
    }

    /** The waiting is over, with or without the lock. */
    void waited() {
        waited = Optional.of(Duration.ofNanos(System.nanoTime() - askedAt));
    }

    void again() {
        runs++;
        startedAt = Optional.empty();
        endedAt = Optional.empty();
        lostFor = Optional.empty();
        outcome = Outcome.FAILED;
    }

    void granted(Lease lease) {
        token = Optional.of(lease.token().value());
    }

    void started() {
        startedAt = Optional.of(Instant.now());
        startedNanos = System.nanoTime();
    }

    void ended() {
        endedAt = Optional.of(Instant.now());
        ran = Duration.ofNanos(System.nanoTime() - startedNanos);
    }

    void heldBy(String holder) {
        heldBy = Optional.of(holder);
    }

    void outcome(Outcome how) {
        outcome = how;
    }

    void lost(LostReason reason) {
        outcome = Outcome.LOST;
        lostFor = Optional.of(reason);
    }

    /** Writes it whole or not at all: a reader never sees half of it. */
    void write(Path file, int exitCode) throws IOException {
        String text = json(exitCode);
        Path target = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
        if (Files.exists(target) && !Files.isRegularFile(target)) {
            Files.writeString(target, text); // a pipe or a device cannot be replaced
            return;
        }
        Path parent = Optional.ofNullable(target.getParent()).orElse(target);
        Path fresh = Files.createTempFile(parent, ".holdfast-report", ".json");
        try {
            Files.writeString(fresh, text);
            Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(fresh);
        }
    }

    String json(int exitCode) throws IOException {
        Json.Obj report = Json.build()
                .with("outcome", outcome.name().toLowerCase(Locale.ROOT))
                .with("exit_code", exitCode)
                .with("signal", signal(exitCode))
                .with("lost_reason", lostFor.map(reason -> reason.name().toLowerCase(Locale.ROOT)))
                .with("runs", runs)
                .with("namespace", key.namespace())
                .with("key", key.name())
                .with("path", key.path().value())
                .with("owner", owner)
                .with("fencing_token", number(token))
                .with("held_by", heldBy)
                .with("waited_ms", number(waited.map(Duration::toMillis)))
                .with("started_at", startedAt.map(Rfc3339::text))
                .with("ended_at", endedAt.map(Rfc3339::text))
                .with("duration_ms", number(endedAt.map(end -> ran.toMillis())))
                .build();
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text).useDefaultPrettyPrinter()) {
            report.writeTo(json);
        }
        return text.append('\n').toString();
    }

    private Optional<String> signal(int exitCode) {
        boolean possible = outcome == Outcome.ENDED || outcome == Outcome.INTERRUPTED;
        return Optional.of(Signals.named(exitCode)).filter(name -> possible && !name.isEmpty());
    }

    private static Json number(Optional<Long> value) {
        return value.map(Json::of).orElseGet(Json::nil);
    }
}
