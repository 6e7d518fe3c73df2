package dev.holdfast.server.about;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.server.auth.Role;
import dev.holdfast.server.config.Settings;
import dev.holdfast.server.http.Call;
import dev.holdfast.server.http.Reply;
import dev.holdfast.server.http.Route;
import dev.holdfast.wire.Rfc3339;
import dev.holdfast.wire.json.JsonText;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;

/**
 * {@code GET /v2/server} and {@code GET /v2/settings}. Neither asks the store: they answer also while it does not, which is when somebody
 * looks for what is configured.
 *
 * @param settings as they may be shown
 * @param notes what was worth saying about them at the start
 */
public record AboutRoutes(ServerFacts facts, List<Settings.Line> settings, List<String> notes) {
    public List<Route> routes() {
        return List.of(Route.get("/v2/server", this::server), Route.get("/v2/settings", this::settings));
    }

    private CompletableFuture<Reply> server(Call call) {
        call.query().check();
        call.requireAnywhere(Role.READ);
        return CompletableFuture.completedFuture(Reply.ok(json -> {
            json.writeStringField("node", facts.node());
            json.writeStringField("version", facts.version());
            json.writeStringField("java", Runtime.version() + ", " + System.getProperty("java.vendor", "unknown"));
            json.writeStringField("store", facts.store());
            json.writeBooleanField("store_shared", facts.storeShared());
            json.writeBooleanField("metrics", facts.metrics());
            json.writeStringField("started_at", Rfc3339.text(facts.startedAt()));
            json.writeNumberField(
                    "uptime_ms",
                    Duration.ofNanos(System.nanoTime() - facts.startedNanos()).toMillis());
        }));
    }

    /** Where things are and who may come in is told to whom everything is entrusted anyway. */
    private CompletableFuture<Reply> settings(Call call) {
        call.query().check();
        call.requireEverywhere(Role.ADMIN);
        return CompletableFuture.completedFuture(Reply.ok(json -> {
            JsonText.objects(json, "items", settings, AboutRoutes::write);
            JsonText.values(json, "notes", notes, JsonGenerator::writeString);
        }));
    }

    private static void write(JsonGenerator json, Settings.Line line) throws IOException {
        json.writeStringField("name", line.key());
        json.writeStringField("value", line.value());
        json.writeStringField("default", line.setting().defaultText());
        json.writeBooleanField("changed", line.changed());
        json.writeBooleanField("masked", line.value().contains("***"));
        json.writeStringField("source", line.origin().level().name().toLowerCase(Locale.ROOT));
        json.writeStringField("origin", line.origin().toString());
        json.writeStringField("description", line.setting().description());
        json.writeStringField("allowed", line.setting().allowed());
    }
}
