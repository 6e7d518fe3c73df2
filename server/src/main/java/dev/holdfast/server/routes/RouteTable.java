package dev.holdfast.server.routes;

import dev.holdfast.server.auth.Principal;
import dev.holdfast.server.auth.Role;
import dev.holdfast.server.http.Call;
import dev.holdfast.server.http.ErrorStyle;
import dev.holdfast.server.http.Reply;
import dev.holdfast.server.http.Route;
import dev.holdfast.server.http.Route.BodyKind;
import dev.holdfast.server.http.Route.Effect;
import dev.holdfast.server.observe.metrics.Meters;
import dev.holdfast.wire.CallerJson;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Every call of the server, on one page. */
public final class RouteTable {
    public enum MetricsAccess {
        NOBODY,
        /** Who may read in all namespaces. */
        READERS,
        EVERYBODY
    }

    private static final String V1 = "/v1/{namespace}/lock/{lockName}";

    private final List<Route> routes = new ArrayList<>();

    public RouteTable(LockCalls locks, EventsRoute events, MetricsAccess metrics) {
        compatible(new V1Routes(locks));
        AcquireRoute acquire = new AcquireRoute(locks);
        LeaseRoutes leases = new LeaseRoutes(locks, acquire);
        LookRoutes look = new LookRoutes(locks);
        HistoryRoute history = new HistoryRoute(locks);
        OperatorRoutes operators = new OperatorRoutes(locks);
        add(Route.post("/v2/locks/acquire", acquire::answer));
        add(Route.post("/v2/locks/renew", leases::renew)
                .taking(BodyKind.BATCH)
                .admitting(RouteTable::lockers)
                .having(Effect.LOOKS));
        add(Route.post("/v2/locks/release", leases::release)
                .taking(BodyKind.BATCH)
                .admitting(RouteTable::lockers));
        add(Route.post("/v2/locks/batch", leases::batch).taking(BodyKind.BATCH).admitting(RouteTable::lockers));
        add(Route.get("/v2/locks", look::list));
        add(Route.get("/v2/lock", look::one));
        add(Route.get("/v2/history", history::answer));
        add(Route.post("/v2/locks/force-unlock", operators::force));
        add(Route.post("/v2/fence/check", look::fence).having(Effect.LOOKS));
        add(Route.get("/v2/events", events::answer));
        add(Route.get("/v2/whoami", RouteTable::whoami));
        add(Route.get("/api/locks/status", new StatusRoute(locks)::answer));
        add(Route.get("/api/locks/history", history::answer));
        add(Route.post("/api/locks/cleanup", operators::cleanup).taking(BodyKind.NONE));
        switch (metrics) {
            case NOBODY -> {}
            case READERS ->
                add(Route.get("/metrics", call -> {
                    call.requireEverywhere(Role.READ); // they name namespaces and locks of everybody
                    return scrape(locks.meters());
                }));
            case EVERYBODY ->
                add(Route.get("/metrics", call -> scrape(locks.meters())).open());
        }
    }

    /** Many leases are many bytes: the role comes before them. */
    private static void lockers(Call call) {
        call.requireAnywhere(Role.LOCK);
    }

    /** Whoever is let in may know as whom, and what they may do: it needs no role. */
    private static CompletableFuture<Reply> whoami(Call call) {
        call.query().check();
        call.requireNoRole();
        Principal caller = call.principal();
        return CompletableFuture.completedFuture(Reply.ok(CallerJson.of(
                caller.name(),
                caller.isAnonymous()
                        ? Optional.empty()
                        : Optional.of(caller.origin().spelling()),
                caller.group(),
                caller.grants().spelling())));
    }

    private void compatible(V1Routes v1) {
        add(Route.get(V1, v1::get).styled(ErrorStyle.COMPATIBLE));
        add(Route.post(V1 + "/acquire", v1::acquire).styled(ErrorStyle.COMPATIBLE));
        add(Route.post(V1 + "/renew", v1::renew).styled(ErrorStyle.COMPATIBLE).having(Effect.LOOKS));
        add(Route.post(V1 + "/release", v1::release).styled(ErrorStyle.COMPATIBLE));
    }

    private static CompletableFuture<Reply> scrape(Meters meters) {
        return meters.scrape()
                .thenApply(text -> Reply.bytes(200, Meters.contentType(), Buffer.buffer(text)))
                .toCompletableFuture();
    }

    private void add(Route route) {
        routes.add(route);
    }

    public List<Route> all() {
        return List.copyOf(routes);
    }
}
