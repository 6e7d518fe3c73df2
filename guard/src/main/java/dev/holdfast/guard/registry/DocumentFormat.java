package dev.holdfast.guard.registry;

import dev.holdfast.guard.App;
import dev.holdfast.guard.AppDatabase;
import dev.holdfast.guard.AppStanding;
import dev.holdfast.guard.DesiredState;
import dev.holdfast.guard.Evidence;
import dev.holdfast.guard.GuardDecision;
import dev.holdfast.guard.GuardOutcome;
import dev.holdfast.guard.Identifiers;
import dev.holdfast.guard.ResourceState;
import dev.holdfast.guard.resource.ResourceRecord;
import dev.holdfast.guard.wire.AnswerJson;
import dev.holdfast.guard.wire.AppJson;
import dev.holdfast.guard.wire.Members;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.wire.json.Json;
import dev.holdfast.wire.json.ObjectBuilder;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
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

    public static byte[] write(App app) {
        ObjectBuilder out = start(app.version())
                .with("app", app.name())
                .with("url", app.url().toString())
                .with("desired", app.desired().label());
        if (!app.health().isUsual()) {
            out.with("health", AppJson.write(app.health().spec()));
        }
        return out.ifPresent("leaving", app.leaving() ? Optional.of("yes") : Optional.empty())
                .ifPresent("starting_until", app.startingUntil().map(Instant::toString))
                .with("databases", Json.array(app.databases(), DocumentFormat::database))
                .build()
                .bytes();
    }

    public static App readApp(String name, byte[] content) {
        return read(
                name,
                content,
                json -> new App(
                        Members.text(json, "app"),
                        URI.create(Members.text(json, "url")),
                        AppJson.readHealth(json.at("health")),
                        Members.all(json, "databases", DocumentFormat::database),
                        Members.word(json, "desired", DesiredState.class),
                        Members.optionalTime(json, "starting_until"),
                        Members.optional(json, "leaving").isPresent(),
                        Members.number(json, "version").orElse(0)));
    }

    private static Json database(AppDatabase database) {
        ObjectBuilder out = Json.build().with("type", database.type()).ifPresent("host", database.host());
        database.port().ifPresent(port -> out.with("port", port));
        out.ifPresent("instance_id", database.instanceId()).ifPresent("actuator", database.actuator());
        if (!database.addresses().isEmpty()) {
            out.with("addresses", Members.texts(database.addresses()));
        }
        return out.build();
    }

    private static AppDatabase database(Json json) {
        return new AppDatabase(
                Members.text(json, "type"),
                Members.optional(json, "host").map(Identifiers::canonical), // stored before there was one spelling
                Members.integer(json, "port"),
                Members.optional(json, "instance_id"),
                Members.optional(json, "actuator"),
                Members.texts(json, "addresses"));
    }

    // ---- resources

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
                .with("apps", Members.texts(resource.apps()))
                .ifPresent("moved_to", resource.movedTo())
                .with("decisions", Json.array(resource.decisions(), DocumentFormat::decision))
                .build()
                .bytes();
    }

    public static ResourceRecord readResource(String name, byte[] content) {
        return read(name, content, json -> {
            String id = Members.text(json, "db_identifier");
            Map<String, ResourceRecord.Downs> downs = new LinkedHashMap<>();
            json.at("downs").members().forEach((app, down) -> downs.put(app, down(down)));
            return new ResourceRecord(
                    id,
                    Members.word(json, "state", ResourceState.class),
                    Members.number(json, "fencing_token").orElse(0),
                    Members.optional(json, "actuator"),
                    intents(json),
                    downs,
                    Members.texts(json, "apps"),
                    Members.optional(json, "moved_to"),
                    Members.all(json, "decisions", one -> decision(id, one)),
                    Members.number(json, "version").orElse(0));
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
        all.forEach(one -> intents.put(Members.text(one, "requested_by"), Members.time(one, "since")));
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
        Instant at = Members.time(json, "at");
        return new ResourceRecord.Downs(
                Members.optional(json, "run").orElse(""),
                Members.optionalTime(json, "since").orElse(at),
                (int) Members.number(json, "count").orElse(0),
                at);
    }

    private static Json decision(GuardDecision decision) {
        ObjectBuilder out = Json.build()
                .with("decision", decision.outcome().label())
                .with("reason", decision.reason())
                .with("app", decision.app())
                .with("at", decision.at().toString())
                .with("fencing_token", decision.fencingToken())
                .ifPresent("recorded_only", decision.recordedOnly() ? Optional.of("yes") : Optional.empty())
                .with("evidence", Json.array(decision.evidence(), DocumentFormat::evidence));
        decision.act().ifPresent(act -> out.with("act", AnswerJson.act(act)));
        return out.build();
    }

    private static GuardDecision decision(String id, Json json) {
        return new GuardDecision(
                id,
                Members.word(json, "decision", GuardOutcome.class),
                Members.text(json, "reason"),
                Members.all(json, "evidence", AnswerJson::readEvidence),
                Members.text(json, "app"),
                Members.time(json, "at"),
                Members.number(json, "fencing_token").orElse(0),
                Members.optional(json, "recorded_only").isPresent(),
                AnswerJson.readAct(json.at("act")));
    }

    private static Json evidence(Evidence seen) {
        ObjectBuilder out = Json.build().with("app", seen.app()).with("status", seen.status());
        seen.httpCode().ifPresent(code -> out.with("http_code", code));
        return out.with("checked_at", seen.checkedAt().toString())
                .ifPresent("standing", seen.standing().map(AppStanding::label))
                .build();
    }

    // ---- parts

    private static ObjectBuilder start(long version) {
        return Json.build().with("format", FORMAT).with("version", version);
    }

    /** Reads what is stored; what cannot be read is never taken for something else. */
    private static <T> T read(String name, byte[] content, Function<Json, T> reading) {
        try {
            Json json = Json.parse(content);
            long format = Members.number(json, "format").orElse(0);
            if (format > FORMAT) {
                throw Members.unknown("format", Long.toString(format));
            }
            if (format != FORMAT) {
                throw new IllegalArgumentException("its format is " + format + ", known is " + FORMAT);
            }
            return reading.apply(json);
        } catch (StoreUnusableException e) { // nothing is wrong with it, but with who reads it
            throw new StoreUnusableException(
                    "The document '" + name + "' was written by a newer version of Holdfast: " + e.getMessage()
                            + ". It was not touched.",
                    e);
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
