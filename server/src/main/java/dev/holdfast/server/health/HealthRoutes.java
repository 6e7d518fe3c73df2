package dev.holdfast.server.health;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.server.http.Call;
import dev.holdfast.server.http.Reply;
import dev.holdfast.server.http.Route;
import dev.holdfast.wire.json.JsonText;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** {@code GET /health/live} and {@code /health/ready}: whether to restart it, and whether to send it requests. */
public record HealthRoutes(HealthChecks checks) {
    public List<Route> routes() {
        return List.of(
                Route.get("/health/live", HealthRoutes::live).open(),
                Route.get("/health/ready", this::ready).open());
    }

    static CompletableFuture<Reply> live(Call call) {
        return CompletableFuture.completedFuture(Reply.ok(json -> json.writeStringField("status", "UP")));
    }

    CompletableFuture<Reply> ready(Call call) {
        return checks.standing().thenApply(standing -> {
            Reply reply = Reply.json(standing.reason().isPresent() ? 503 : 200, json -> write(json, standing));
            return standing.reason().isPresent() ? reply.header("Retry-After", "1") : reply;
        });
    }

    public static void write(JsonGenerator json, HealthChecks.HealthAnswer standing) throws IOException {
        json.writeStringField("status", standing.reason().isPresent() ? "DOWN" : "UP");
        if (standing.reason().isPresent()) {
            json.writeStringField("reason", standing.reason().get());
        }
        json.writeStringField("node", standing.node());
        json.writeStringField("store", standing.store());
        if (standing.storeMillis().isPresent()) {
            json.writeNumberField("store_latency_ms", standing.storeMillis().get());
        }
        if (standing.clockErrorMillis().isPresent()) {
            json.writeNumberField("clock_error_ms", standing.clockErrorMillis().get());
        }
        JsonText.objects(json, "parts", standing.parts(), (out, part) -> part.write(out));
    }
}
