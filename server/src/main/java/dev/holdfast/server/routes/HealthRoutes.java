package dev.holdfast.server.routes;

import dev.holdfast.internal.engine.LockEngine;
import dev.holdfast.internal.engine.Request;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Terms;
import dev.holdfast.server.http.Call;
import dev.holdfast.server.http.Later;
import dev.holdfast.server.http.Reply;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /health/live} and {@code /health/ready}: whether to restart it, and whether to send it requests. A store that reads and
 * cannot write is not ready. That is seen by the writes of everybody; only while they fail does the probe write something itself, a lock
 * of its own, since nobody else may be sent here any more to find out that it works again.
 */
final class HealthRoutes {
    private static final RecordKey PROBE = new RecordKey("holdfast", "health");
    private static final Duration PROBE_LEASE = Duration.ofSeconds(1);
    private static final long PATIENCE_MILLIS = 2_000;
    /** An answer this young is good for everybody who asks: a crowd of probes is one to the store. */
    private static final long FRESH_NANOS = Duration.ofMillis(500).toNanos();

    private final LockEngine engine;
    private final String node;
    private final String store;
    private final Supplier<Optional<String>> notReady;
    private final RecordKey own;
    private @Nullable Look last;
    private CompletableFuture<?> writing = CompletableFuture.completedFuture(null);

    /** @param notReady why the server wants no requests, whatever the store says */
    HealthRoutes(Locks locks, Supplier<Optional<String>> notReady) {
        this.engine = locks.engine();
        this.node = locks.node();
        this.own = new RecordKey("holdfast", "health/" + node);
        this.store = locks.store();
        this.notReady = notReady;
    }

    private record Look(long at, CompletableFuture<Health> health) {}

    private record Health(double storeMillis, double clockErrorMillis, Optional<String> reason) {}

    CompletableFuture<Reply> live(Call call) {
        return CompletableFuture.completedFuture(Reply.ok(json -> json.writeStringField("status", "UP")));
    }

    CompletableFuture<Reply> ready(Call call) {
        return look().thenApply(health -> {
            Optional<String> reason = notReady.get().or(health::reason);
            Reply reply = Reply.json(reason.isPresent() ? 503 : 200, json -> {
                json.writeStringField("status", reason.isPresent() ? "DOWN" : "UP");
                if (reason.isPresent()) {
                    json.writeStringField("reason", reason.get());
                }
                json.writeStringField("node", node);
                json.writeStringField("store", store);
                if (health.reason().isEmpty()) {
                    json.writeNumberField("store_latency_ms", health.storeMillis());
                    json.writeNumberField("clock_error_ms", health.clockErrorMillis());
                }
            });
            return reason.isPresent() ? reply.header("Retry-After", "1") : reply;
        });
    }

    private synchronized CompletableFuture<Health> look() {
        long now = System.nanoTime();
        if (last == null || now - last.at() > FRESH_NANOS) {
            last = new Look(now, ask(now));
        }
        return last.health();
    }

    private CompletableFuture<Health> ask(long start) {
        if (engine.writeFailure().isPresent() && writing.isDone()) {
            writing = write();
        }
        // What everybody's last write said may be long ago: while writes fail, the probe's own decides.
        return writing.thenCombine(engine.read(PROBE), (written, record) -> record)
                .thenCombine(engine.now(), (record, time) -> {
                    double clock =
                            Duration.between(time.earliest(), time.latest()).toNanos() / 1e6;
                    Optional<String> reason = engine.writeFailure()
                            .map(failure -> "the store answers, but takes no writes: " + failure.getMessage());
                    return new Health(millis(System.nanoTime() - start), millis((long) (clock * 1e6)), reason);
                })
                .orTimeout(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)
                .exceptionally(failure -> new Health(0, 0, Optional.of(words(failure))));
    }

    /** Takes a lock nobody else wants and gives it back; what comes of it, the engine remembers. */
    private CompletableFuture<?> write() {
        LeaseId lease = engine.newLeaseId();
        Request request =
                new Request(own, lease, Scope.WHOLE, "health", Terms.of(PROBE_LEASE), Duration.ZERO, Duration.ZERO);
        return engine.acquire(request)
                .answer()
                .thenCompose(answer -> engine.release(own, lease))
                .handle((released, failure) -> null);
    }

    /** Three digits are enough for a probe. */
    private static double millis(long nanos) {
        return Math.round(nanos / 1e3) / 1e3;
    }

    private static String words(Throwable failure) {
        Throwable cause = Later.cause(failure);
        return cause instanceof TimeoutException
                ? "the store did not answer within " + PATIENCE_MILLIS + " ms"
                : String.valueOf(cause.getMessage());
    }
}
