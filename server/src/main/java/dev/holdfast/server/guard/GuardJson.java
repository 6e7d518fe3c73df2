package dev.holdfast.server.guard;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.guard.App;
import dev.holdfast.guard.AppDatabase;
import dev.holdfast.guard.GuardDecision;
import dev.holdfast.guard.Evidence;
import dev.holdfast.guard.HealthCheck;
import dev.holdfast.guard.Intent;
import dev.holdfast.guard.QuickStatus;
import dev.holdfast.guard.ResourceView;
import dev.holdfast.server.http.JsonText;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/** Apps, resources and decisions as JSON. */
public final class GuardJson {
    private GuardJson() {}

    /** Writes one of many as one value. */
    @FunctionalInterface
    public interface Item<T> {
        /** Writes exactly one value. */
        void write(JsonGenerator json, T item) throws IOException;
    }

    /** The field {@code items}. */
    public static <T> void items(JsonGenerator json, List<T> items, Item<T> each) throws IOException {
        json.writeArrayFieldStart("items");
        for (T item : items) {
            each.write(json, item);
        }
        json.writeEndArray();
    }

    /** The fields of a quick status. */
    public static void quick(JsonGenerator json, QuickStatus seen) throws IOException {
        json.writeStringField("app", seen.app());
        json.writeStringField("status", seen.status().name());
        code(json, seen.httpCode());
        json.writeStringField("timestamp", JsonText.time(seen.timestamp()));
    }

    // ---- apps

    /** An app as an object. */
    public static void app(JsonGenerator json, App app) throws IOException {
        json.writeStartObject();
        fields(json, app);
        json.writeEndObject();
    }

    static void fields(JsonGenerator json, App app) throws IOException {
        json.writeStringField("app", app.name());
        json.writeStringField("url", app.url().toString());
        json.writeFieldName("health");
        health(json, app.health());
        json.writeArrayFieldStart("databases");
        for (AppDatabase database : app.databases()) {
            database(json, database);
        }
        json.writeEndArray();
        json.writeStringField("desired", app.desired().label());
        time(json, "starting_until", app.startingUntil());
        json.writeNumberField("version", app.version());
    }

    /** How its answers are understood; null if nothing was said. */
    private static void health(JsonGenerator json, HealthCheck health) throws IOException {
        if (health.isUsual()) {
            json.writeNull();
            return;
        }
        json.writeStartObject();
        text(json, "path", health.path());
        texts(json, "up", health.up().texts());
        texts(json, "down", health.down().texts());
        text(json, "down_after", health.downAfter().map(HealthCheck::text));
        json.writeEndObject();
    }

    private static void database(JsonGenerator json, AppDatabase database) throws IOException {
        json.writeStartObject();
        json.writeStringField("type", database.type());
        text(json, "host", database.endpoint().or(database::host));
        text(json, "instance_id", database.instanceId());
        text(json, "actuator", database.actuator());
        json.writeEndObject();
    }

    // ---- resources

    /** A resource as an object. */
    public static void resource(JsonGenerator json, ResourceView resource) throws IOException {
        json.writeStartObject();
        json.writeStringField("db_identifier", resource.dbIdentifier());
        texts(json, "types", resource.types());
        json.writeStringField("state", resource.state().name().toLowerCase(Locale.ROOT));
        json.writeStringField("actuator", resource.actuator());
        json.writeBooleanField("recorded_only", resource.recordedOnly());
        texts(json, "needed_by", resource.neededBy());
        texts(json, "same_as", resource.sameAs());
        json.writeArrayFieldStart("apps");
        for (ResourceView.User user : resource.apps()) {
            json.writeStartObject();
            json.writeStringField("app", user.app());
            json.writeStringField("status", user.status());
            code(json, user.httpCode());
            time(json, "checked_at", user.checkedAt());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeFieldName("intent");
        intent(json, resource.intent());
        json.writeArrayFieldStart("intents");
        for (Intent intent : resource.intents()) {
            intent(json, Optional.of(intent));
        }
        json.writeEndArray();
        json.writeArrayFieldStart("decisions");
        for (GuardDecision decision : resource.decisions()) {
            decision(json, decision);
        }
        json.writeEndArray();
        texts(json, "problems", resource.problems());
        json.writeEndObject();
    }

    private static void intent(JsonGenerator json, Optional<Intent> intent) throws IOException {
        if (intent.isEmpty()) {
            json.writeNull();
            return;
        }
        json.writeStartObject();
        json.writeStringField("requested_by", intent.get().requestedBy());
        json.writeStringField("since", JsonText.time(intent.get().since()));
        json.writeEndObject();
    }

    // ---- decisions

    /** A decision as an object. */
    public static void decision(JsonGenerator json, GuardDecision decision) throws IOException {
        json.writeStartObject();
        json.writeStringField("db_identifier", decision.dbIdentifier());
        json.writeStringField("decision", decision.outcome().label());
        json.writeStringField("reason", decision.reason());
        json.writeArrayFieldStart("evidence");
        for (Evidence seen : decision.evidence()) {
            json.writeStartObject();
            json.writeStringField("app", seen.app());
            json.writeStringField("status", seen.status());
            code(json, seen.httpCode());
            json.writeStringField("checked_at", JsonText.time(seen.checkedAt()));
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeStringField("app", decision.app());
        json.writeStringField("decided_at", JsonText.time(decision.at()));
        json.writeNumberField("fencing_token", decision.fencingToken());
        json.writeBooleanField("recorded_only", decision.recordedOnly());
        json.writeEndObject();
    }

    // ---- parts

    private static void code(JsonGenerator json, OptionalInt code) throws IOException {
        if (code.isPresent()) {
            json.writeNumberField("http_code", code.getAsInt());
        } else {
            json.writeNullField("http_code");
        }
    }

    private static void time(JsonGenerator json, String name, Optional<Instant> time) throws IOException {
        text(json, name, time.map(JsonText::time));
    }

    private static void text(JsonGenerator json, String name, Optional<String> text) throws IOException {
        if (text.isPresent()) {
            json.writeStringField(name, text.get());
        } else {
            json.writeNullField(name);
        }
    }

    static void texts(JsonGenerator json, String name, List<String> texts) throws IOException {
        json.writeArrayFieldStart(name);
        for (String text : texts) {
            json.writeString(text);
        }
        json.writeEndArray();
    }
}
