package dev.holdfast.cli.guard;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.cli.target.ServerCalls;
import dev.holdfast.cli.text.JsonTree;
import dev.holdfast.guard.HealthCheck;
import dev.holdfast.guard.Registration;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The guard of a server. */
final class ServerGuards implements Guards {
    private static final String APPS = "/api/guard/apps";
    private static final String RESOURCES = "/api/guard/resources";
    /** A server that always tells of more does not hold a command for ever. */
    private static final int MAX_PAGES = 1_000;

    private final ServerCalls server;

    ServerGuards(ServerCalls server) {
        this.server = server;
    }

    @Override
    public List<JsonTree> apps() throws InterruptedException {
        return all(APPS);
    }

    private List<JsonTree> all(String path) throws InterruptedException {
        List<JsonTree> items = new ArrayList<>();
        String page = path;
        for (int i = 0; i < MAX_PAGES; i++) {
            JsonTree answer = server.send("GET", page, Optional.empty());
            items.addAll(answer.get("items").list());
            if (answer.get("next_cursor").isNull()) {
                break;
            }
            page = path + "?cursor=" + encoded(answer.get("next_cursor").text());
        }
        return items;
    }

    @Override
    public List<String> register(List<Registration> apps) throws InterruptedException {
        return server.send("PUT", APPS, Optional.of(body(apps))).get("warnings").list().stream()
                .map(JsonTree::text)
                .toList();
    }

    @Override
    public void forget(String app) throws InterruptedException {
        server.send("DELETE", APPS + "/" + encoded(app), Optional.empty());
    }

    @Override
    public List<JsonTree> resources(Optional<String> dbIdentifier) throws InterruptedException {
        return dbIdentifier.isPresent()
                ? server.send("GET", RESOURCES + "/" + encoded(dbIdentifier.get()), Optional.empty())
                        .get("items")
                        .list()
                : all(RESOURCES);
    }

    @Override
    public JsonTree stop(String app, boolean dryRun) throws InterruptedException {
        return errand(app, "stop", dryRun);
    }

    @Override
    public JsonTree start(String app, boolean dryRun) throws InterruptedException {
        return errand(app, "start", dryRun);
    }

    private JsonTree errand(String app, String what, boolean dryRun) throws InterruptedException {
        return server.send("POST", APPS + "/" + encoded(app) + "/" + what, Optional.of("{\"dry_run\":" + dryRun + "}"));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static String body(List<Registration> apps) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            json.writeStartObject();
            json.writeArrayFieldStart("apps");
            for (Registration app : apps) {
                write(json, app);
            }
            json.writeEndArray();
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // cannot happen in memory
        }
        return text.toString();
    }

    private static void write(JsonGenerator json, Registration app) throws IOException {
        json.writeStartObject();
        json.writeStringField("app", app.app());
        json.writeStringField("url", app.url());
        json.writeArrayFieldStart("databases");
        for (Registration.Use use : app.databases()) {
            json.writeStartObject();
            json.writeStringField("type", use.type());
            optional(json, "host", use.host());
            optional(json, "instance_id", use.instanceId());
            optional(json, "actuator", use.actuator());
            json.writeEndObject();
        }
        json.writeEndArray();
        optional(json, "desired", app.desired());
        if (app.health().isPresent()) {
            json.writeObjectFieldStart("health");
            write(json, app.health().get());
            json.writeEndObject();
        }
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, HealthCheck.Spec health) throws IOException {
        optional(json, "path", health.path());
        codes(json, "up", health.up());
        codes(json, "down", health.down());
        optional(json, "down_after", health.downAfter());
    }

    private static void codes(JsonGenerator json, String name, List<String> codes) throws IOException {
        json.writeArrayFieldStart(name);
        for (String code : codes) {
            json.writeString(code);
        }
        json.writeEndArray();
    }

    private static void optional(JsonGenerator json, String name, Optional<String> value) throws IOException {
        if (value.isPresent()) {
            json.writeStringField(name, value.get());
        }
    }

    @Override
    public void close() {}
}
