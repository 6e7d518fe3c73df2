package dev.holdfast.guard;

import dev.holdfast.spi.StoreUnusableException;
import java.io.IOException;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Apps and resources as they are stored.
 *
 * <pre>guard/apps/shop.json       {"format":1,"app":"shop","url":"http://shop/","desired":"auto","databases":[{"type":"postgres",…}]}
 * guard/resources/i-0a.json  {"format":1,"db_identifier":"i-0a","state":"running","intent":{…},"decisions":[…],…}</pre>
 */
final class DocumentFormat {
    private static final int FORMAT = 1;

    private DocumentFormat() {}

    /** Reads what is stored; what cannot be read is never taken for something else. */
    private interface Reading<T> {
        T from(JsonTree tree);
    }

    static byte[] write(App app) {
        Map<String, Object> out = start(app.version());
        out.put("app", app.name());
        out.put("url", app.url().toString());
        out.put("desired", app.desired().label());
        if (!app.health().isUsual()) {
            out.put("health", health(app.health()));
        }
        if (app.leaving()) {
            out.put("leaving", "yes");
        }
        app.startingUntil().ifPresent(until -> out.put("starting_until", until));
        List<Object> databases = new ArrayList<>();
        for (AppDatabase database : app.databases()) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("type", database.type());
            database.host().ifPresent(host -> one.put("host", host));
            database.port().ifPresent(port -> one.put("port", port));
            database.instanceId().ifPresent(id -> one.put("instance_id", id));
            database.actuator().ifPresent(name -> one.put("actuator", name));
            if (!database.addresses().isEmpty()) {
                one.put("addresses", database.addresses());
            }
            databases.add(one);
        }
        out.put("databases", databases);
        return JsonTree.write(out);
    }

    private static Map<String, Object> health(HealthCheck health) {
        Map<String, Object> out = new LinkedHashMap<>();
        health.path().ifPresent(path -> out.put("path", path));
        out.put("up", health.up().texts());
        out.put("down", health.down().texts());
        health.downAfter().ifPresent(time -> out.put("down_after", HealthCheck.text(time)));
        return out;
    }

    private static HealthCheck health(JsonTree tree) {
        return new HealthCheck.Spec(tree.text("path"), tree.texts("up"), tree.texts("down"), tree.text("down_after"))
                .toHealthCheck();
    }

    static App readApp(String name, byte[] content) {
        return read(
                name,
                content,
                tree -> new App(
                        tree.required("app"),
                        URI.create(tree.required("url")),
                        tree.object("health").map(DocumentFormat::health).orElse(HealthCheck.USUAL),
                        tree.objects("databases").stream()
                                .map(DocumentFormat::database)
                                .toList(),
                        Desired.of(tree.required("desired")).orElseThrow(),
                        tree.text("starting_until").map(Instant::parse),
                        tree.text("leaving").isPresent(),
                        tree.number("version")));
    }

    private static AppDatabase database(JsonTree tree) {
        return new AppDatabase(
                tree.required("type"),
                tree.text("host").map(Identifiers::canonical), // stored before there was one spelling
                tree.integer("port"),
                tree.text("instance_id"),
                tree.text("actuator"),
                tree.texts("addresses"));
    }

    static byte[] write(ResourceRecord resource) {
        Map<String, Object> out = start(resource.version());
        out.put("db_identifier", resource.id());
        out.put("state", label(resource.state()));
        out.put("fencing_token", resource.token());
        resource.actuator().ifPresent(name -> out.put("actuator", name));
        List<Object> intents = new ArrayList<>();
        resource.intents().forEach((app, since) -> intents.add(Map.of("requested_by", app, "since", since)));
        out.put("intents", intents);
        Map<String, Object> downs = new LinkedHashMap<>();
        resource.downs().forEach((app, down) -> downs.put(app, down(down)));
        out.put("downs", downs);
        out.put("apps", resource.apps());
        resource.movedTo().ifPresent(other -> out.put("moved_to", other));
        out.put(
                "decisions",
                resource.decisions().stream().map(DocumentFormat::decision).toList());
        return JsonTree.write(out);
    }

    private static Map<String, Object> down(ResourceRecord.Downs down) {
        return Map.of("run", down.run(), "since", down.since(), "count", down.count(), "at", down.at());
    }

    private static ResourceRecord.Downs down(JsonTree tree) {
        Instant at = Instant.parse(tree.required("at"));
        return new ResourceRecord.Downs(
                tree.text("run").orElse(""),
                tree.text("since").map(Instant::parse).orElse(at),
                (int) tree.number("count"),
                at);
    }

    /** Before intents had owners, there was one, of who asked first. */
    private static Map<String, Instant> intents(JsonTree tree) {
        Map<String, Instant> intents = new LinkedHashMap<>();
        List<JsonTree> all = new ArrayList<>(tree.objects("intents"));
        tree.object("intent").ifPresent(all::add);
        all.forEach(one -> intents.put(one.required("requested_by"), Instant.parse(one.required("since"))));
        return intents;
    }

    private static Map<String, Object> decision(GuardDecision decision) {
        Map<String, Object> out = new LinkedHashMap<>();
        out.put("decision", decision.outcome().label());
        out.put("reason", decision.reason());
        out.put("app", decision.app());
        out.put("at", decision.at());
        out.put("fencing_token", decision.fencingToken());
        if (decision.recordedOnly()) {
            out.put("recorded_only", "yes");
        }
        List<Object> evidence = new ArrayList<>();
        for (Evidence seen : decision.evidence()) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("app", seen.app());
            one.put("status", seen.status());
            seen.httpCode().ifPresent(code -> one.put("http_code", code));
            one.put("checked_at", seen.checkedAt());
            evidence.add(one);
        }
        out.put("evidence", evidence);
        return out;
    }

    static ResourceRecord readResource(String name, byte[] content) {
        return read(name, content, tree -> {
            String id = tree.required("db_identifier");
            Map<String, ResourceRecord.Downs> downs = new LinkedHashMap<>();
            tree.object("downs")
                    .ifPresent(all -> all.names()
                            .forEach(app -> all.object(app).ifPresent(down -> downs.put(app, DocumentFormat.down(down)))));
            return new ResourceRecord(
                    id,
                    ResourceState.valueOf(tree.required("state").toUpperCase(Locale.ROOT)),
                    tree.number("fencing_token"),
                    tree.text("actuator"),
                    intents(tree),
                    downs,
                    tree.texts("apps"),
                    tree.text("moved_to"),
                    tree.objects("decisions").stream()
                            .map(one -> decision(id, one))
                            .toList(),
                    tree.number("version"));
        });
    }

    private static GuardDecision decision(String id, JsonTree tree) {
        return new GuardDecision(
                id,
                GuardOutcome.valueOf(tree.required("decision").toUpperCase(Locale.ROOT)),
                tree.required("reason"),
                tree.objects("evidence").stream()
                        .map(one -> new Evidence(
                                one.required("app"),
                                one.required("status"),
                                one.integer("http_code"),
                                Instant.parse(one.required("checked_at"))))
                        .toList(),
                tree.required("app"),
                Instant.parse(tree.required("at")),
                tree.number("fencing_token"),
                tree.text("recorded_only").isPresent());
    }

    static String label(ResourceState state) {
        return state.name().toLowerCase(Locale.ROOT);
    }

    private static Map<String, Object> start(long version) {
        Map<String, Object> out = new LinkedHashMap<>();
        out.put("format", FORMAT);
        out.put("version", version);
        return out;
    }

    private static <T> T read(String name, byte[] content, Reading<T> reading) {
        try {
            JsonTree tree = JsonTree.read(content);
            if (tree.number("format") != FORMAT) {
                throw new IllegalArgumentException("its format is " + tree.number("format") + ", known is " + FORMAT);
            }
            return reading.from(tree);
        } catch (IOException | RuntimeException e) { // whatever is wrong with it, it is wrong with the document
            throw new StoreUnusableException(
                    "The document '" + name + "' cannot be read (" + firstLine(e)
                            + "). It was not touched; restore it from a backup, or delete it and register again.",
                    e);
        }
    }

    private static String firstLine(Exception e) {
        return Optional.ofNullable(e.getMessage())
                .orElse(e.getClass().getSimpleName())
                .lines()
                .findFirst()
                .orElse("");
    }
}
