package dev.holdfast.guard.wire;

import dev.holdfast.guard.App;
import dev.holdfast.guard.AppDatabase;
import dev.holdfast.guard.DesiredState;
import dev.holdfast.guard.HealthCheck;
import dev.holdfast.guard.Registration;
import dev.holdfast.guard.RegistrationResult;
import dev.holdfast.wire.json.Json;
import dev.holdfast.wire.json.ObjectBuilder;
import java.net.URI;
import java.util.List;

/** Apps, and what is sent to register them. */
public final class AppJson {
    private AppJson() {}

    // ---- an app

    public static Json.Obj write(App app) {
        return members(app).build();
    }

    private static ObjectBuilder members(App app) {
        return Json.build()
                .with("app", app.name())
                .with("url", app.url().toString())
                .with(
                        "health",
                        app.health().isUsual() ? Json.nil() : shown(app.health().spec()))
                .with("databases", Json.array(app.databases(), AppJson::database))
                .with("desired", app.desired().label())
                .with("starting_until", Members.time(app.startingUntil()))
                .with("version", app.version());
    }

    /** The app that was written; what its hosts stand for is not told. */
    public static App read(Json json) {
        return new App(
                Members.text(json, "app"),
                URI.create(Members.text(json, "url")),
                readHealth(json.at("health")),
                Members.all(json, "databases", AppJson::database),
                Members.word(json, "desired", DesiredState.class),
                Members.optionalTime(json, "starting_until"),
                false,
                Members.number(json, "version").orElseThrow());
    }

    private static Json database(AppDatabase database) {
        return Json.build()
                .with("type", database.type())
                .with("host", database.endpoint().or(database::host))
                .with("instance_id", database.instanceId())
                .with("actuator", database.actuator())
                .build();
    }

    private static AppDatabase database(Json json) {
        return AppDatabase.of(
                Members.text(json, "type"),
                Members.optional(json, "host"),
                Members.optional(json, "instance_id"),
                Members.optional(json, "actuator"));
    }

    private static Json shown(HealthCheck.Spec health) {
        return Json.build()
                .with("path", health.path())
                .with("up", Members.texts(health.up()))
                .with("down", Members.texts(health.down()))
                .with("down_after", health.downAfter())
                .build();
    }

    /** How answers are understood, as it was written: as usual if nothing was. */
    public static HealthCheck readHealth(Json json) {
        return new HealthCheck.Spec(
                        Members.optional(json, "path"),
                        Members.texts(json, "up"),
                        Members.texts(json, "down"),
                        Members.optional(json, "down_after"))
                .toHealthCheck();
    }

    // ---- what came of registering it

    /** An app that was registered just now. */
    public static Json.Obj write(RegistrationResult result) {
        return members(result.app())
                .with("warnings", Members.texts(result.warnings()))
                .build();
    }

    /** The app that was written, with what is likely not meant so. */
    public static RegistrationResult readResult(Json json) {
        return new RegistrationResult(read(json), warnings(json));
    }

    /** How many apps were registered at once, and what is likely not meant so. */
    public static Json.Obj registered(int count, List<String> warnings) {
        return Json.build()
                .with("registered", count)
                .with("warnings", Members.texts(warnings))
                .build();
    }

    /** The warnings about many apps; what does not say that they are registered is something else. */
    public static List<String> readWarnings(Json json) {
        Members.number(json, "registered").orElseThrow(() -> new IllegalArgumentException("it has no 'registered'"));
        return warnings(json);
    }

    /** The warnings that were written with one app or with many. */
    public static List<String> warnings(Json json) {
        return Members.texts(json, "warnings");
    }

    // ---- what is sent to register it; a server reads it field by field, to name all its faults

    public static Json.Obj write(Registration app) {
        ObjectBuilder json = Json.build()
                .with("app", app.app())
                .with("url", app.url())
                .with("databases", Json.array(app.databases(), AppJson::use))
                .ifPresent("desired", app.desired());
        app.health().ifPresent(health -> json.with("health", write(health)));
        return json.build();
    }

    private static Json use(Registration.Use use) {
        return Json.build()
                .with("type", use.type())
                .ifPresent("host", use.host())
                .ifPresent("instance_id", use.instanceId())
                .ifPresent("actuator", use.actuator())
                .build();
    }

    public static Json write(HealthCheck.Spec health) {
        return Json.build()
                .ifPresent("path", health.path())
                .with("up", Members.texts(health.up()))
                .with("down", Members.texts(health.down()))
                .ifPresent("down_after", health.downAfter())
                .build();
    }
}
