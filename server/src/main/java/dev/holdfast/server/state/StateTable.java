package dev.holdfast.server.state;

import dev.holdfast.documents.DocumentStore;
import dev.holdfast.server.auth.Role;
import dev.holdfast.server.http.Blocking;
import dev.holdfast.server.http.Problem;
import dev.holdfast.server.http.Route;
import dev.holdfast.server.http.Route.BodyKind;
import dev.holdfast.server.http.Route.RouteHandler;
import dev.holdfast.server.routes.Locks;
import dev.holdfast.state.Stack;
import dev.holdfast.state.StateManager;
import io.vertx.core.http.HttpMethod;
import java.util.ArrayList;
import java.util.List;

/** Every call about state, on one page. */
public final class StateTable {
    private static final String STATE = "/state/{stack}/{environment}";
    private static final String LOCK = STATE + "/lock";
    private static final HttpMethod LOCKS = HttpMethod.valueOf("LOCK");
    private static final HttpMethod UNLOCKS = HttpMethod.valueOf("UNLOCK");

    private final List<Route> routes = new ArrayList<>();

    private StateTable() {}

    /** The calls on these documents. */
    public static List<Route> routes(
            Locks locks, DocumentStore documents, StateManager states, Blocking threads, LockHabits habits) {
        Desk desk = new Desk(locks, states, threads);
        StackLocks stacks = new StackLocks(desk, new LockInfos(documents), habits);
        TerraformRoutes terraform =
                new TerraformRoutes(desk, stacks, new ForceUnlock(locks, states, habits.forceUnlock()));
        VersionRoutes versions = new VersionRoutes(desk, stacks);
        StateTable table = new StateTable();
        table.add(HttpMethod.GET, STATE, BodyKind.NONE, terraform::get);
        table.add(HttpMethod.POST, STATE, BodyKind.DOCUMENT, terraform::save);
        table.add(HttpMethod.PUT, STATE, BodyKind.DOCUMENT, terraform::save);
        table.add(HttpMethod.DELETE, STATE, BodyKind.NONE, terraform::delete);
        table.add(LOCKS, STATE, BodyKind.DOCUMENT, terraform::lock);
        table.add(UNLOCKS, STATE, BodyKind.DOCUMENT, terraform::unlock);
        table.add(HttpMethod.POST, LOCK, BodyKind.DOCUMENT, terraform::lock);
        table.add(HttpMethod.PUT, LOCK, BodyKind.DOCUMENT, terraform::lock);
        table.add(HttpMethod.DELETE, LOCK, BodyKind.DOCUMENT, terraform::unlock);
        table.add(HttpMethod.GET, STATE + "/history", BodyKind.NONE, versions::history);
        table.add(HttpMethod.GET, STATE + "/versions/{version}", BodyKind.NONE, versions::version);
        table.add(HttpMethod.GET, STATE + "/diff", BodyKind.NONE, versions::diff);
        table.add(HttpMethod.POST, STATE + "/verify", BodyKind.NONE, versions::verify);
        table.add(HttpMethod.POST, STATE + "/backup", BodyKind.NONE, versions::backup);
        table.add(HttpMethod.POST, STATE + "/restore", BodyKind.JSON, versions::restore);
        table.add(HttpMethod.GET, "/state", BodyKind.NONE, versions::list);
        return List.copyOf(table.routes);
    }

    /** The same calls where no documents can be kept: they say what to do about it. */
    public static List<Route> closed(List<Route> routes, String why) {
        RouteHandler no = call -> {
            call.requireSomewhereIn(Role.READ, Stack.NAMESPACE);
            throw Problem.of(501, "no-state-store", why).refused();
        };
        return routes.stream()
                .map(route -> new Route(route.method(), route.path(), route.style(), route.body(), route.access(), no))
                .toList();
    }

    private void add(HttpMethod method, String path, BodyKind body, RouteHandler handler) {
        routes.add(Route.of(method, path, handler).taking(body).basic());
    }
}
