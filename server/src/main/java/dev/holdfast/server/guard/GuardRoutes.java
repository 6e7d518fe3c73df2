package dev.holdfast.server.guard;

import dev.holdfast.guard.App;
import dev.holdfast.guard.AppDatabase;
import dev.holdfast.guard.GuardBusyException;
import dev.holdfast.guard.InvalidAppException;
import dev.holdfast.guard.QuickStatus;
import dev.holdfast.guard.Registration;
import dev.holdfast.guard.RegistrationResult;
import dev.holdfast.guard.ResourceView;
import dev.holdfast.guard.UnknownAppException;
import dev.holdfast.guard.wire.AppJson;
import dev.holdfast.guard.wire.ResourceJson;
import dev.holdfast.guard.wire.StatusJson;
import dev.holdfast.internal.parts.ShownText;
import dev.holdfast.model.EventType;
import dev.holdfast.model.RecordKey;
import dev.holdfast.server.auth.Grants;
import dev.holdfast.server.auth.Role;
import dev.holdfast.server.http.Blocking;
import dev.holdfast.server.http.Call;
import dev.holdfast.server.http.JsonFields;
import dev.holdfast.server.http.Problem;
import dev.holdfast.server.http.Query;
import dev.holdfast.server.http.Reply;
import dev.holdfast.server.http.Route;
import dev.holdfast.server.http.Route.BodyKind;
import dev.holdfast.server.observe.audit.AuditTrail;
import dev.holdfast.server.observe.audit.AuditedCaller;
import dev.holdfast.wire.Rfc3339;
import dev.holdfast.wire.json.Json;
import io.vertx.core.http.HttpMethod;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** {@code /api/guard/…} and {@code /status/quick}. Who looks needs the role read in namespace {@value #NAMESPACE}, who acts guard. */
public final class GuardRoutes implements AutoCloseable {
    /** Where the locks of resources are, and for which roles are granted. */
    static final String NAMESPACE = "guard";

    private static final String APPS = "/api/guard/apps";
    private static final String APP = APPS + "/{app}";
    private static final String RESOURCES = "/api/guard/resources";
    private static final int LOOKING = 8;
    /** Stops and starts take as long as what they stop: they must not be in the way of those who look. */
    private static final int ACTING = 32;

    private static final int WAITING = 256;
    private static final int EACH = 128;

    private static final int MAX_PAGE = 1_000;
    /** As many as are kept of a resource. */
    private static final long MAX_DECISIONS = 50;
    /** As many as a guard remembers of an app. */
    private static final long MAX_ANSWERS = 30;
    /** In whose history it is told that many were registered at once. */
    private static final RecordKey ALL_APPS = new RecordKey(NAMESPACE, "APP#all");

    private final GuardService service;
    private final AuditTrail trail;
    private final Blocking looking = new Blocking("guard-look", LOOKING, WAITING, EACH);
    private final Blocking acting = new Blocking("guard-act", ACTING, WAITING, EACH);

    public GuardRoutes(GuardService service, AuditTrail trail) {
        this.service = service;
        this.trail = trail;
    }

    public List<Route> routes() {
        StopStartRoutes errands = new StopStartRoutes(service, acting, looking, trail);
        return List.of(
                Route.get("/status/quick", this::status),
                Route.get(APPS, this::apps),
                Route.of(HttpMethod.PUT, APPS, this::putAll)
                        .taking(BodyKind.BATCH)
                        .admitting(call -> call.requireSomewhereIn(Role.GUARD, NAMESPACE)),
                Route.get(APP, this::app),
                Route.of(HttpMethod.PUT, APP, this::put),
                Route.of(HttpMethod.DELETE, APP, this::delete).taking(BodyKind.NONE),
                Route.post(APP + "/stop", errands::stop),
                Route.post(APP + "/start", errands::start),
                Route.get(RESOURCES, this::resources),
                Route.get(RESOURCES + "/{db_identifier}", this::resource));
    }

    // ---- looking

    private CompletableFuture<Reply> status(Call call) {
        Query query = call.query();
        String app = query.required("app", text -> text, "");
        query.check();
        call.require(Role.READ, NAMESPACE, app);
        return looking.run(call, answered(() -> new Look(service.guard().status(app))))
                .thenCompose(Look::seen)
                .thenApply(seen -> Reply.ok(StatusJson.write(seen)));
    }

    /** An app that is being looked at; no thread waits for it. */
    private record Look(CompletableFuture<QuickStatus> seen) {}

    private CompletableFuture<Reply> apps(Call call) {
        Query query = call.query();
        NamePaging pages = NamePaging.of(query, MAX_PAGE);
        query.check();
        call.requireSomewhereIn(Role.READ, NAMESPACE);
        Grants grants = call.principal().grants();
        return looking.run(call, answered(() -> {
            List<App> seen = service.guard().apps().stream()
                    .filter(app -> grants.may(Role.READ, NAMESPACE, app.name()))
                    .toList();
            return pages.reply(seen, App::name, AppJson::write);
        }));
    }

    private CompletableFuture<Reply> app(Call call) {
        call.query().check();
        String app = call.name("app");
        call.require(Role.READ, NAMESPACE, app);
        return looking.run(
                call, answered(() -> Reply.ok(AppJson.write(service.guard().app(app)))));
    }

    private CompletableFuture<Reply> resources(Call call) {
        Query query = call.query();
        NamePaging pages = NamePaging.of(query, MAX_PAGE);
        Depth depth = Depth.of(query);
        query.check();
        call.requireSomewhereIn(Role.READ, NAMESPACE);
        Grants grants = call.principal().grants();
        return looking.run(call, answered(() -> {
            List<ResourceView> seen = service.guard().resources().stream()
                    .filter(resource -> isSeen(resource, grants))
                    .toList();
            return pages.reply(seen, ResourceView::dbIdentifier, depth::write);
        }));
    }

    private CompletableFuture<Reply> resource(Call call) {
        Query query = call.query();
        Depth depth = Depth.of(query);
        query.check();
        call.requireSomewhereIn(Role.READ, NAMESPACE);
        Grants grants = call.principal().grants();
        String id = call.name("db_identifier");
        return looking.run(call, answered(() -> {
            Optional<ResourceView> found = service.guard().resource(id).filter(resource -> isSeen(resource, grants));
            ResourceView view = found.orElseThrow(() -> unknownResource(id));
            return Reply.ok(Json.build()
                    .with("items", Json.array(List.of(view), depth::write))
                    .with("server_time", Rfc3339.text(Instant.now()))
                    .build());
        }));
    }

    private record Depth(int decisions, int answers) {
        static Depth of(Query query) {
            long decisions = query.integer("decisions", 0, MAX_DECISIONS).orElse(MAX_DECISIONS);
            return new Depth(
                    Math.toIntExact(decisions),
                    Math.toIntExact(query.integer("answers", 0, MAX_ANSWERS).orElse(0L)));
        }

        Json.Obj write(ResourceView resource) {
            return ResourceJson.write(resource.latest(decisions, answers));
        }
    }

    /** Whoever may see an app may see what it shares, and with whom. */
    private static boolean isSeen(ResourceView resource, Grants grants) {
        return grants.mayThroughout(Role.READ, NAMESPACE)
                || resource.apps().stream().anyMatch(user -> grants.may(Role.READ, NAMESPACE, user.app()));
    }

    private static Problem.Refused unknownResource(String id) {
        String shown = ShownText.of(id);
        return Problem.refusal(
                404, "unknown-resource", "No registered app uses '" + shown + "'. See what is used: GET " + RESOURCES);
    }

    // ---- the registry

    private CompletableFuture<Reply> put(Call call) {
        call.query().check();
        JsonFields fields = call.fields();
        Registration given = RegistrationReader.read(call.name("app"), fields);
        fields.check();
        call.require(Role.GUARD, NAMESPACE, given.app());
        AuditedCaller caller = call.caller();
        return acting.run(call, done(service, guard -> {
            RegistrationResult done = guard.register(given);
            App app = done.app();
            trail.changed(
                    EventType.GUARD_REGISTERED,
                    key(app.name()),
                    caller,
                    Map.of("app", app.name(), "url", String.valueOf(app.url().getHost()), "databases", uses(app)));
            return Reply.ok(AppJson.write(done));
        }));
    }

    private CompletableFuture<Reply> putAll(Call call) {
        call.query().check();
        JsonFields fields = call.fields();
        List<Registration> given = RegistrationReader.readAll(fields);
        fields.check();
        call.requireSomewhereIn(Role.GUARD, NAMESPACE);
        given.forEach(app -> call.require(Role.GUARD, NAMESPACE, app.app()));
        AuditedCaller caller = call.caller();
        return acting.run(call, done(service, guard -> {
            List<String> warnings = guard.registerAll(given);
            String apps = given.stream().map(Registration::app).collect(Collectors.joining(","));
            trail.changed(
                    EventType.GUARD_REGISTERED,
                    ALL_APPS,
                    caller,
                    Map.of("count", Integer.toString(given.size()), "apps", apps));
            return Reply.ok(AppJson.registered(given.size(), warnings));
        }));
    }

    private CompletableFuture<Reply> delete(Call call) {
        call.query().check();
        String app = call.name("app");
        call.require(Role.GUARD, NAMESPACE, app);
        AuditedCaller caller = call.caller();
        return acting.run(call, done(service, guard -> {
            App last = guard.app(app);
            if (guard.unregister(app)) {
                trail.changed(
                        EventType.GUARD_UNREGISTERED, key(app), caller, Map.of("app", app, "databases", uses(last)));
            }
            return Reply.ok(AppJson.write(last));
        }));
    }

    /** In whose history it is told what is done about an app that is registered. */
    static RecordKey key(String app) {
        return new RecordKey(NAMESPACE, "APP#" + app);
    }

    private static String uses(App app) {
        return app.databases().stream().map(AppDatabase::toString).collect(Collectors.joining(","));
    }

    // ---- failures

    /** Something that the guard may change. */
    interface GuardChange<T> {
        T by(ConfiguredGuard guard) throws InterruptedException;
    }

    /** Work of a guard that changes something. What is interrupted in it may be done: this server only did not live to see it. */
    static <T> Callable<T> done(GuardService service, GuardChange<T> deed) {
        return answered(() -> {
            ConfiguredGuard guard = service.guard();
            try {
                return deed.by(guard);
            } catch (InterruptedException e) {
                throw unknown(
                        "This server is stopping, and it is not known whether this was done. Ask for the same again;"
                                + " another server may answer");
            }
        });
    }

    static Problem.Refused unknown(String detail) {
        return Problem.refusal(503, "outcome-unknown", detail, Duration.ofSeconds(1));
    }

    /** Work of a guard; what it refuses is a problem of the caller. */
    static <T> Callable<T> answered(Callable<T> work) {
        return () -> {
            try {
                return work.call();
            } catch (UnknownAppException e) {
                throw Problem.refusal(404, "unknown-app", said(e));
            } catch (InvalidAppException e) {
                throw Problem.refusal(422, "invalid-app", said(e));
            } catch (MissingActuatorException e) {
                throw Problem.refusal(422, "missing-actuator", said(e));
            } catch (GuardBusyException e) {
                throw Problem.refusal(503, "busy", said(e), Duration.ofSeconds(1));
            } catch (InterruptedException e) {
                throw Problem.STOPPING.refused();
            }
        };
    }

    private static String said(RuntimeException refusal) {
        return String.valueOf(refusal.getMessage());
    }

    /** Ends the threads; call it before the guard is closed. */
    @Override
    public void close() {
        looking.close(Duration.ZERO);
        acting.close(Duration.ZERO);
    }
}
