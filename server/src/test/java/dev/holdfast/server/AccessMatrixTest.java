package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.TestServer.Answer;
import dev.holdfast.server.auth.Grants;
import dev.holdfast.server.auth.Role;
import dev.holdfast.server.auth.TokenEntry;
import dev.holdfast.server.auth.login.AuthConfig;
import dev.holdfast.server.http.ErrorStyle;
import dev.holdfast.server.http.Route;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Every call, with every role, granted in every way. Who adds a call says here what it needs; without that this test fails. A caller
 * must get in exactly where it may: 403 is the only answer that means no.
 */
@DisplayName("every call x role x place")
class AccessMatrixTest {
    private static final String NAME = "lock-x";
    private static final String NAMESPACE = "alpha";

    /** About what a call is. */
    private enum About {
        /** One thing, with a name: a lock, a stack, an app. */
        ONE,
        /** All of a namespace the caller may see. */
        SOME,
        /** The whole server. */
        ALL,
        /** The server itself, for whoever has the role for anything. */
        ANYTHING,
        /** Only the caller: whoever is let in may. */
        ONESELF
    }

    /**
     * What a call needs.
     *
     * @param role at least this
     * @param about for what
     * @param namespace in which namespace
     * @param name by which name grants know it
     */
    private record Need(Role role, About about, String namespace, String name) {}

    private static Need lock(Role role, About about) {
        return new Need(role, about, NAMESPACE, NAME);
    }

    /** The stack of the sample calls is called by the lock's name, and its environment by the namespace. */
    private static Need stack(Role role, About about) {
        return new Need(role, about, "deploy", NAME + "/" + NAMESPACE);
    }

    private static Need app(Role role, About about) {
        return new Need(role, about, "guard", NAME);
    }

    private static final Map<String, Need> NEEDS = new LinkedHashMap<>();

    static {
        String v1 = "/v1/{namespace}/lock/{lockName}";
        NEEDS.put("GET " + v1, lock(Role.READ, About.ONE));
        NEEDS.put("POST " + v1 + "/acquire", lock(Role.LOCK, About.ONE));
        NEEDS.put("POST " + v1 + "/renew", lock(Role.LOCK, About.ONE));
        NEEDS.put("POST " + v1 + "/release", lock(Role.LOCK, About.ONE));
        NEEDS.put("POST /v2/locks/acquire", lock(Role.LOCK, About.ONE));
        NEEDS.put("POST /v2/locks/renew", lock(Role.LOCK, About.ONE));
        NEEDS.put("POST /v2/locks/release", lock(Role.LOCK, About.ONE));
        NEEDS.put("POST /v2/locks/batch", lock(Role.LOCK, About.ONE));
        NEEDS.put("GET /v2/locks", lock(Role.READ, About.SOME));
        NEEDS.put("GET /v2/lock", lock(Role.READ, About.ONE));
        NEEDS.put("GET /v2/overview", lock(Role.READ, About.SOME));
        NEEDS.put("GET /v2/history", lock(Role.READ, About.SOME));
        NEEDS.put("POST /v2/locks/force-unlock", lock(Role.ADMIN, About.ONE));
        NEEDS.put("POST /v2/fence/check", lock(Role.READ, About.ONE));
        NEEDS.put("GET /v2/events", lock(Role.READ, About.SOME));
        NEEDS.put("GET /v2/whoami", lock(Role.READ, About.ONESELF));
        NEEDS.put("GET /api/locks/status", lock(Role.READ, About.SOME));
        NEEDS.put("GET /api/locks/history", lock(Role.READ, About.SOME));
        NEEDS.put("POST /api/locks/cleanup", lock(Role.ADMIN, About.ALL));
        NEEDS.put("POST /v2/tokens", lock(Role.ADMIN, About.ALL));
        NEEDS.put("GET /v2/tokens", lock(Role.ADMIN, About.ALL));
        NEEDS.put("DELETE /v2/tokens/{id}", lock(Role.ADMIN, About.ALL));
        NEEDS.put("GET /v2/server", lock(Role.READ, About.ANYTHING));
        NEEDS.put("GET /v2/settings", lock(Role.ADMIN, About.ALL));
        NEEDS.put("GET /admin/backup", lock(Role.ADMIN, About.ALL));
        for (String what : List.of("log-level", "log", "threads", "load", "store")) {
            NEEDS.put("GET /admin/" + what, lock(Role.ADMIN, About.ALL));
        }
        NEEDS.put("PUT /admin/log-level", lock(Role.ADMIN, About.ALL));
        NEEDS.put("POST /admin/notify/test", lock(Role.ADMIN, About.ALL));
        NEEDS.put("GET /metrics", lock(Role.READ, About.ALL));
        String state = "/state/{stack}/{environment}";
        NEEDS.put("GET /state", stack(Role.READ, About.SOME));
        NEEDS.put("GET " + state, stack(Role.STATE_READ, About.ONE));
        NEEDS.put("GET " + state + "/versions/{version}", stack(Role.STATE_READ, About.ONE));
        NEEDS.put("GET " + state + "/history", stack(Role.READ, About.ONE));
        NEEDS.put("GET " + state + "/diff", stack(Role.READ, About.ONE));
        NEEDS.put("POST " + state + "/verify", stack(Role.READ, About.ONE));
        NEEDS.put("POST " + state, stack(Role.STATE, About.ONE));
        NEEDS.put("PUT " + state, stack(Role.STATE, About.ONE));
        NEEDS.put("DELETE " + state, stack(Role.STATE, About.ONE));
        NEEDS.put("LOCK " + state, stack(Role.STATE, About.ONE));
        NEEDS.put("UNLOCK " + state, stack(Role.STATE, About.ONE));
        NEEDS.put("POST " + state + "/lock", stack(Role.STATE, About.ONE));
        NEEDS.put("PUT " + state + "/lock", stack(Role.STATE, About.ONE));
        NEEDS.put("DELETE " + state + "/lock", stack(Role.STATE, About.ONE));
        NEEDS.put("POST " + state + "/backup", stack(Role.STATE, About.ONE));
        NEEDS.put("POST " + state + "/restore", stack(Role.STATE, About.ONE));
        NEEDS.put("GET /status/quick", app(Role.READ, About.ONE));
        NEEDS.put("GET /api/guard/apps", app(Role.READ, About.SOME));
        NEEDS.put("PUT /api/guard/apps", app(Role.GUARD, About.ONE));
        NEEDS.put("GET /api/guard/apps/{app}", app(Role.READ, About.ONE));
        NEEDS.put("PUT /api/guard/apps/{app}", app(Role.GUARD, About.ONE));
        NEEDS.put("DELETE /api/guard/apps/{app}", app(Role.GUARD, About.ONE));
        NEEDS.put("POST /api/guard/apps/{app}/stop", app(Role.GUARD, About.ONE));
        NEEDS.put("POST /api/guard/apps/{app}/start", app(Role.GUARD, About.ONE));
        NEEDS.put("GET /api/guard/resources", app(Role.READ, About.SOME));
        NEEDS.put("GET /api/guard/resources/{db_identifier}", app(Role.READ, About.SOME));
    }

    /** In which ways a role can be granted, seen from one need: whether it then is enough for one thing, for a list, for all. */
    private enum Place {
        EVERYWHERE(true, true, true),
        NAMESPACE_OF_IT(true, true, false),
        ITSELF(true, true, false),
        BEGINNING(true, true, false),
        SIBLING(false, true, false),
        OTHER_NAMESPACE(false, false, false),
        SIMILAR_NAMESPACE(false, false, false);

        private final boolean one;
        private final boolean some;
        private final boolean all;

        Place(boolean one, boolean some, boolean all) {
            this.one = one;
            this.some = some;
            this.all = all;
        }

        String of(Need need) {
            return switch (this) {
                case EVERYWHERE -> "*";
                case NAMESPACE_OF_IT -> need.namespace();
                case ITSELF -> need.namespace() + "/" + need.name();
                case BEGINNING ->
                    need.namespace() + "/"
                            + need.name().substring(0, need.name().length() - 1) + "*";
                case SIBLING -> need.namespace() + "/" + need.name() + "y";
                case OTHER_NAMESPACE -> "elsewhere";
                case SIMILAR_NAMESPACE -> need.namespace() + "x/" + need.name();
            };
        }

        boolean isEnoughFor(About about) {
            return switch (about) {
                case ONE -> one;
                case SOME -> some;
                case ALL -> all;
                case ANYTHING, ONESELF -> true;
            };
        }
    }

    private static TestServer server;
    private static Client anyone;

    @BeforeAll
    static void start() {
        List<TokenEntry> tokens = new ArrayList<>();
        for (Need need : List.of(lock(Role.READ, About.ONE), stack(Role.READ, About.ONE), app(Role.READ, About.ONE))) {
            for (Place place : Place.values()) {
                for (Role role : Role.values()) {
                    tokens.add(TokenEntry.of(
                            id(need, place, role), secret(need, place, role), Grants.in(place.of(need), role)));
                }
            }
        }
        server = new Setup()
                .auth(new AuthConfig(false, Optional.empty(), tokens))
                .privateMetrics()
                .start();
        anyone = Client.of(server);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static String id(Need need, Place place, Role role) {
        return need.namespace() + "." + place + "." + role;
    }

    private static String secret(Need need, Place place, Role role) {
        return "hf_" + id(need, place, role);
    }

    private static String called(Route route) {
        return route.method().name() + " " + route.path();
    }

    private static Stream<Route> closed() {
        return server.server.routes().stream().filter(route -> route.access() != Route.Access.OPEN);
    }

    @Test
    @DisplayName("nothing is missing here, and nothing is left over")
    void complete() {
        assertThat(closed().map(AccessMatrixTest::called)).containsExactlyInAnyOrderElementsOf(NEEDS.keySet());
    }

    @TestFactory
    @DisplayName("is answered for whoever has the role there, and for nobody else")
    Stream<DynamicTest> matrix() {
        return closed().filter(route -> NEEDS.containsKey(called(route)))
                .map(route -> DynamicTest.dynamicTest(called(route), () -> check(route, NEEDS.get(called(route)))));
    }

    /** There are other reasons for a 403 than a missing role, such as the lock of another. */
    private static boolean isRefused(Answer answer, Route route) {
        return answer.status() == 403
                && (route.style() == ErrorStyle.COMPATIBLE || answer.body().contains("\"forbidden\""));
    }

    private static void check(Route route, Need need) {
        for (Place place : Place.values()) {
            for (Role role : Role.values()) {
                boolean may =
                        (role.implies(need.role()) || need.about() == About.ONESELF) && place.isEnoughFor(need.about());
                if (may && route.path().equals(SampleCalls.EVENTS)) {
                    continue; // a stream without end; other tests listen to it
                }
                Client caller = anyone.as(secret(need, place, role));
                Answer answer = caller.send(SampleCalls.of(caller, route, NAMESPACE, NAME));
                assertThat(isRefused(answer, route))
                        .as("%s with %s in '%s' was answered with %s", called(route), role, place.of(need), answer)
                        .isEqualTo(!may);
                assertThat(answer.status()).as(called(route)).isNotIn(401, 500);
            }
        }
    }
}
