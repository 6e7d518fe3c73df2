package dev.holdfast.guard.registry;

import dev.holdfast.guard.App;
import dev.holdfast.guard.AppDatabase;
import dev.holdfast.guard.Desired;
import dev.holdfast.guard.Evidence;
import dev.holdfast.guard.GuardDecision;
import dev.holdfast.guard.GuardOutcome;
import dev.holdfast.guard.HealthCheck;
import dev.holdfast.guard.Identifiers;
import dev.holdfast.guard.ResourceState;
import dev.holdfast.guard.resource.ResourceRecord;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.wire.json.Json;
import dev.holdfast.wire.json.ObjectBuilder;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * Apps and resources as they are stored. Times are exact, unlike on the wire.
 *
 * <pre>guard/apps/shop.json       {"format":1,"app":"shop","url":"http://shop/","desired":"auto","databases":[{"type":"postgres",…}]}
 * guard/resources/i-0a.json  {"format":1,"db_identifier":"i-0a","state":"running","intents":[…],"decisions":[…],…}</pre>
 */
public final class DocumentFormat {
    private static final int FORMAT = 1;

    private DocumentFormat() {}

    // ---- apps

    /** An app as it is stored. */
    public static byte[] write(App app) {
        ObjectBuilder out = start(app.version())
                .with("app", app.name())
                .with("url", app.url().toString())
                .with("desired", app.desired().label());
        if (!app.health().isUsual()) {
            out.with("health", health(app.health()));
        }
        return out.ifPresent("leaving", app.leaving() ? Optional.of("yes") : Optional.empty())
                .ifPresent("starting_until", app.startingUntil().map(Instant::toString))
                .with("databases", Json.array(app.databases(), DocumentFormat::database))
                .build()
                .bytes();
    }

    /** The app in a document of this name. */
    public static App readApp(String name, byte[] content) {
        return read(
                name,
                content,
                json -> new App(
                        text(json, "app"),
                        URI.create(text(json, "url")),
                        json.at("health").members().isEmpty() ? HealthCheck.USUAL : health(json.at("health")),
                        all(json.at("databases"), DocumentFormat::database),
                        Desired.of(text(json, "desired")).orElseThrow(),
                        optional(json, "starting_until").map(Instant::parse),
                        optional(json, "leaving").isPresent(),
                        number(json, "version")));
    }

    private static Json health(HealthCheck health) {
        return Json.build()
                .ifPresent("path", health.path())
                .with("up", texts(health.up().texts()))
                .with("down", texts(health.down().texts()))
                .ifPresent("down_after", health.downAfter().map(HealthCheck::text))
                .build();
    }

    private static HealthCheck health(Json json) {
        return new HealthCheck.Spec(
                        optional(json, "path"),
                        texts(json.at("up")),
                        texts(json.at("down")),
                        optional(json, "down_after"))
                .toHealthCheck();
    }

    private static Json database(AppDatabase database) {
        ObjectBuilder out = Json.build().with("type", database.type()).ifPresent("host", database.host());
        database.port().ifPresent(port -> out.with("port", port));
        out.ifPresent("instance_id", database.instanceId()).ifPresent("actuator", database.actuator());
        if (!database.addresses().isEmpty()) {
            out.with("addresses", texts(database.addresses()));
        }
        return out.build();
    }

    private static AppDatabase database(Json json) {
        return new AppDatabase(
                text(json, "type"),
                optional(json, "host").map(Identifiers::canonical), // stored before there was one spelling
                integer(json, "port"),
                optional(json, "instance_id"),
                optional(json, "actuator"),
                texts(json.at("addresses")));
    }

    // ---- resources

    /** A resource as it is stored. */
    public static byte[] write(ResourceRecord resource) {
        ObjectBuilder downs = Json.build();
        resource.downs().forEach((app, down) -> downs.with(app, down(down)));
        return start(resource.version())
                .with("db_identifier", resource.id())
                .with("state", resource.state().name().toLowerCase(Locale.ROOT))
                .with("fencing_token", resource.token())
                .ifPresent("actuator", resource.actuator())
                .with("intents", Json.array(resource.intents().entrySet(), DocumentFormat::intent))
                .with("downs", downs.build())
                .with("apps", texts(resource.apps()))
                .ifPresent("moved_to", resource.movedTo())
                .with("decisions", Json.array(resource.decisions(), DocumentFormat::decision))
                .build()
                .bytes();
    }

    /** The resource in a document of this name. */
    public static ResourceRecord readResource(String name, byte[] content) {
        return read(name, content, json -> {
            String id = text(json, "db_identifier");
            Map<String, ResourceRecord.Downs> downs = new LinkedHashMap<>();
            json.at("downs").members().forEach((app, down) -> downs.put(app, down(down)));
            return new ResourceRecord(
                    id,
                    ResourceState.valueOf(text(json, "state").toUpperCase(Locale.ROOT)),
                    number(json, "fencing_token"),
                    optional(json, "actuator"),
                    intents(json),
                    downs,
                    texts(json.at("apps")),
                    optional(json, "moved_to"),
                    all(json.at("decisions"), one -> decision(id, one)),
                    number(json, "version"));
        });
    }

    private static Json intent(Map.Entry<String, Instant> intent) {
        return Json.build()
                .with("requested_by", intent.getKey())
                .with("since", intent.getValue().toString())
                .build();
    }

    /** Before intents had owners, there was one, of who asked first. */
    private static Map<String, Instant> intents(Json json) {
        Map<String, Instant> intents = new LinkedHashMap<>();
        List<Json> all = new ArrayList<>(json.at("intents").items());
        if (!json.at("intent").isNull()) {
            all.add(json.at("intent"));
        }
        all.forEach(one -> intents.put(text(one, "requested_by"), time(one, "since")));
        return intents;
    }

    private static Json down(ResourceRecord.Downs down) {
        return Json.build()
                .with("run", down.run())
                .with("since", down.since().toString())
                .with("count", down.count())
                .with("at", down.at().toString())
                .build();
    }

    private static ResourceRecord.Downs down(Json json) {
        Instant at = time(json, "at");
        return new ResourceRecord.Downs(
                optional(json, "run").orElse(""),
                optional(json, "since").map(Instant::parse).orElse(at),
                (int) number(json, "count"),
                at);
    }

    private static Json decision(GuardDecision decision) {
        return Json.build()
                .with("decision", decision.outcome().label())
                .with("reason", decision.reason())
                .with("app", decision.app())
                .with("at", decision.at().toString())
                .with("fencing_token", decision.fencingToken())
                .ifPresent("recorded_only", decision.recordedOnly() ? Optional.of("yes") : Optional.empty())
                .with("evidence", Json.array(decision.evidence(), DocumentFormat::evidence))
                .build();
    }

    private static GuardDecision decision(String id, Json json) {
        return new GuardDecision(
                id,
                GuardOutcome.valueOf(text(json, "decision").toUpperCase(Locale.ROOT)),
                text(json, "reason"),
                all(json.at("evidence"), DocumentFormat::evidence),
                text(json, "app"),
                time(json, "at"),
                number(json, "fencing_token"),
                optional(json, "recorded_only").isPresent());
    }

    private static Json evidence(Evidence seen) {
        ObjectBuilder out = Json.build().with("app", seen.app()).with("status", seen.status());
        seen.httpCode().ifPresent(code -> out.with("http_code", code));
        return out.with("checked_at", seen.checkedAt().toString()).build();
    }

    private static Evidence evidence(Json json) {
        return new Evidence(
                text(json, "app"), text(json, "status"), integer(json, "http_code"), time(json, "checked_at"));
    }

    // ---- parts

    private static ObjectBuilder start(long version) {
        return Json.build().with("format", FORMAT).with("version", version);
    }

    private static String text(Json json, String name) {
        return optional(json, name).orElseThrow(() -> new IllegalArgumentException("it has no '" + name + "'"));
    }

    private static Optional<String> optional(Json json, String name) {
        return present(json, name).map(found -> found.text().orElseThrow(() -> wrong(name)));
    }

    private static OptionalLong whole(Json json, String name) {
        return present(json, name).stream()
                .mapToLong(found -> found.number().orElseThrow(() -> wrong(name)))
                .findFirst();
    }

    private static Optional<Json> present(Json json, String name) {
        return Optional.of(json.at(name)).filter(found -> !found.isNull());
    }

    private static IllegalArgumentException wrong(String name) {
        return new IllegalArgumentException("its '" + name + "' is of another kind");
    }

    private static Instant time(Json json, String name) {
        return Instant.parse(text(json, name));
    }

    private static long number(Json json, String name) {
        return whole(json, name).orElse(0);
    }

    private static OptionalInt integer(Json json, String name) {
        return whole(json, name).stream().mapToInt(Math::toIntExact).findFirst();
    }

    private static Json texts(Collection<String> texts) {
        return Json.array(texts, Json::of);
    }

    private static List<String> texts(Json json) {
        return all(json, item -> item.text().orElseThrow());
    }

    private static <T> List<T> all(Json array, Function<Json, T> each) {
        return array.items().stream().map(each).toList();
    }

    /** Reads what is stored; what cannot be read is never taken for something else. */
    private static <T> T read(String name, byte[] content, Function<Json, T> reading) {
        try {
            Json json = Json.parse(content);
            if (number(json, "format") != FORMAT) {
                throw new IllegalArgumentException("its format is " + number(json, "format") + ", known is " + FORMAT);
            }
            return reading.apply(json);
        } catch (RuntimeException e) { // whatever is wrong with it, it is wrong with the document
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
