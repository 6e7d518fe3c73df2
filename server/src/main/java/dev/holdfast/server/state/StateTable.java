package dev.holdfast.server.state;

import dev.holdfast.documents.DocumentStore;
import dev.holdfast.server.auth.Role;
import dev.holdfast.server.http.Blocking;
import dev.holdfast.server.http.Problem;
import dev.holdfast.server.http.Route;
import dev.holdfast.server.http.Route.BodyKind;
import dev.holdfast.server.http.Route.RouteHandler;
import dev.holdfast.server.routes.LockCalls;
import dev.holdfast.state.StateManager;
import dev.holdfast.state.terraform.LockHabits;
import dev.holdfast.state.terraform.TerraformLocks;
import dev.holdfast.state.versions.Stack;
import io.vertx.core.http.HttpMethod;
import java.util.List;
import java.util.stream.Stream;

/** Every call about state, on one page. */
public final class StateTable {
    private static final String STATE = "/state/{stack}/{environment}";
    private static final String LOCK = STATE + "/lock";
    private static final HttpMethod LOCKS = HttpMethod.valueOf("LOCK");
    private static final HttpMethod UNLOCKS = HttpMethod.valueOf("UNLOCK");

    private StateTable() {}

    /**
     * The calls on these documents.
     *
     * @param threads for what is short: loading, saving, locking
     * @param comparing for what may take long, and must not keep the others waiting
     */
    public static List<Route> routes(
            LockCalls locks,
            DocumentStore documents,
            StateManager states,
            Blocking threads,
            Blocking comparing,
            LockHabits habits,
            int maxStacks) {
        StackQuota quota = new StackQuota(documents, maxStacks, System::nanoTime);
        StateCalls calls = new StateCalls(locks, states, threads, comparing, quota, locks.trail());
        TerraformLocks stacks = new TerraformLocks(
                locks.client(), locks.engine(), states, documents, habits, new MeteredLocks(locks.meters()));
        TerraformRoutes terraform = new TerraformRoutes(calls, stacks);
        VersionRoutes versions = new VersionRoutes(calls, stacks);
        return Stream.of(
                        Route.get(STATE, terraform::get).having(Route.Effect.REVEALS),
                        admitted(HttpMethod.POST, STATE, BodyKind.DOCUMENT, terraform::save),
                        admitted(HttpMethod.PUT, STATE, BodyKind.DOCUMENT, terraform::save),
                        Route.of(HttpMethod.DELETE, STATE, terraform::delete).taking(BodyKind.NONE),
                        admitted(LOCKS, STATE, BodyKind.SMALL, terraform::lock),
                        admitted(UNLOCKS, STATE, BodyKind.SMALL, terraform::unlock),
                        admitted(HttpMethod.POST, LOCK, BodyKind.SMALL, terraform::lock),
                        admitted(HttpMethod.PUT, LOCK, BodyKind.SMALL, terraform::lock),
                        admitted(HttpMethod.DELETE, LOCK, BodyKind.SMALL, terraform::unlock),
                        Route.get(STATE + "/history", versions::history),
                        Route.get(STATE + "/versions/{version}", versions::version)
                                .having(Route.Effect.REVEALS),
                        Route.get(STATE + "/diff", versions::diff),
                        Route.post(STATE + "/verify", versions::verify)
                                .taking(BodyKind.NONE)
                                .having(Route.Effect.LOOKS),
                        Route.post(STATE + "/backup", versions::backup).taking(BodyKind.NONE),
                        Route.post(STATE + "/restore", versions::restore),
                        Route.get("/state", versions::list))
                .map(Route::basic)
                .toList();
    }

    /** The same calls where no documents can be kept: they say what to do about it. */
    public static List<Route> closed(List<Route> routes, String why) {
        RouteHandler no = call -> {
            call.requireSomewhereIn(Role.READ, Stack.NAMESPACE);
            throw Problem.refusal(501, "no-state-store", why);
        };
        return routes.stream().map(route -> route.handledBy(no)).toList();
    }

    /** The role comes before the body: who may not save does not keep room from those who may. */
    private static Route admitted(HttpMethod method, String path, BodyKind body, RouteHandler handler) {
        return Route.of(method, path, handler).taking(body).admitting(call -> {
            var unused = StateCalls.asker(call, Role.STATE);
        });
    }
}
