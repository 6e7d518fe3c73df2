package dev.holdfast.server;

import static dev.holdfast.server.StateClient.state;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.TestServer.Answer;
import dev.holdfast.server.auth.Grants;
import dev.holdfast.server.auth.Role;
import dev.holdfast.server.auth.TokenEntry;
import dev.holdfast.server.auth.login.AuthConfig;
import dev.holdfast.server.http.Route;
import dev.holdfast.state.terraform.ForcePolicy;
import dev.holdfast.state.terraform.LockHabits;
import dev.holdfast.state.versions.StateConfig;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("who may do what with state")
class StateAccessTest {
    private static final String ID = "aaaaaaaa-0000-4000-8000-000000000001";
    private static final String CI = "hf_ci-secret-0123456789";
    private static final String READER = "hf_reader-secret-0123456789";
    private static final String SECOND = "hf_second-secret-0123456789";
    private static final String LOCKER = "hf_locker-secret-0123456789";
    private static final String ADMIN = "hf_admin-secret-0123456789";
    private static final String WEB = "hf_web-secret-0123456789";
    private static final String AUDITOR = "hf_auditor-secret-0123456789";
    private static final String ELSEWHERE = "hf_elsewhere-secret-0123456789";

    private static TestServer server;
    private static Client anyone;

    private static final AuthConfig AUTH = new AuthConfig(
            false,
            Optional.empty(),
            List.of(
                    entry("ci", CI, Grants.in("deploy", Role.STATE)),
                    entry("second", SECOND, Grants.in("deploy", Role.STATE)),
                    entry("locker", LOCKER, Grants.everywhere(Role.READ, Role.LOCK)),
                    entry("ops", ADMIN, Grants.everywhere(Role.ADMIN)),
                    entry("web", WEB, Grants.in("deploy/web-a/*", Role.STATE)),
                    entry("auditor", AUDITOR, Grants.in("deploy", Role.STATE_READ)),
                    entry("reader", READER, Grants.in("deploy", Role.READ)),
                    entry("elsewhere", ELSEWHERE, Grants.in("other", Role.ADMIN))));

    @BeforeAll
    static void start() {
        server = new Setup().auth(AUTH).start();
        anyone = Client.of(server);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static TokenEntry entry(String id, String token, Grants grants) {
        return TokenEntry.of(id, token, grants);
    }

    private static Client basic(String token) {
        byte[] pair = ("any:" + token).getBytes(StandardCharsets.UTF_8);
        return anyone.with("Basic " + Base64.getEncoder().encodeToString(pair));
    }

    private static List<Route> routes() {
        return server.server.routes().stream()
                .filter(route -> route.path().startsWith("/state"))
                .toList();
    }

    @Test
    @DisplayName("no credentials are 401, wrong ones 403, too small ones 403, on every call")
    void strangers() {
        assertThat(routes()).hasSize(16);
        for (Route route : routes()) {
            String what = route.method() + " " + route.path();
            Answer none = anyone.send(SampleCalls.of(anyone, route, "prod", "shop"));
            assertThat(none.status()).as(what).isEqualTo(401);
            assertThat(none.header("WWW-Authenticate")).contains("Basic");
            for (Client wrong : List.of(basic("hf_wrong"), anyone.as("hf_wrong"), basic(ELSEWHERE))) {
                assertThat(wrong.send(SampleCalls.of(wrong, route, "prod", "shop"))
                                .status())
                        .as(what)
                        .isEqualTo(403);
            }
        }
    }

    @Test
    @DisplayName("who may read sees which state there is, but neither what stands in it, nor changes it")
    void reader() {
        StateClient stack = new StateClient(basic(CI), "/state/secrets/prod");
        assertThat(stack.lock(ID).status()).isEqualTo(200);
        String secret = state(1).replaceFirst("\\{", "{\"password\":\"hunter2\",");
        assertThat(stack.save(ID, secret).status()).isEqualTo(200);
        String version = stack.history().get(0).get("version").text();
        assertThat(stack.unlock(ID).status()).isEqualTo(200);
        Client reader = basic(READER);
        for (String path : List.of("", "/versions/" + version)) {
            Answer refused = reader.get("/state/secrets/prod" + path);
            assertThat(refused.status()).isEqualTo(403);
            assertThat(refused.body()).contains("'state-read'").doesNotContain("hunter2");
            assertThat(basic(AUDITOR).get("/state/secrets/prod" + path).body()).contains("hunter2");
        }
        for (String path : List.of("/history", "/diff")) {
            Answer shown = reader.get("/state/secrets/prod" + path);
            assertThat(shown.status()).isIn(200, 404);
            assertThat(shown.body()).doesNotContain("hunter2");
        }
        for (Route route : routes()) {
            if (!route.method().name().equals("GET") && !route.path().endsWith("/verify")) {
                for (Client looks : List.of(reader, basic(AUDITOR))) {
                    assertThat(looks.send(SampleCalls.of(looks, route, "prod", "shop"))
                                    .status())
                            .as(route.path())
                            .isEqualTo(403);
                }
            }
        }
    }

    @Test
    @DisplayName(
            "who may read sees what changed, but not what stands in a resource that is new; nobody sees a secret so")
    void differences() {
        StateClient stack = new StateClient(basic(CI), "/state/differences/prod");
        String later = state(2).replace(
                        "\"outputs\":{}", "\"outputs\":{\"site\":{\"value\":\"inside\",\"auth\":\"://a:hunter2@b\"}}");
        assertThat(stack.lock(ID).status()).isEqualTo(200);
        assertThat(stack.save(ID, state(1)).status()).isEqualTo(200);
        assertThat(stack.save(ID, later).status()).isEqualTo(200);
        Answer reader = basic(READER).get("/state/differences/prod/diff");
        assertThat(reader.body()).contains("output.site", "/serial").doesNotContain("inside", "hunter2");
        Answer auditor = basic(AUDITOR).get("/state/differences/prod/diff");
        assertThat(auditor.body()).contains("output.site", "inside", "(secret)").doesNotContain("hunter2");
        assertThat(stack.unlock(ID).status()).isEqualTo(200);
    }

    @Test
    @DisplayName("a token for one stack neither reads, nor saves, nor locks, nor lists another")
    void perStack() {
        Client web = basic(WEB);
        StateClient own = new StateClient(web, "/state/web-a/stage");
        assertThat(own.lock(ID).status()).isEqualTo(200);
        assertThat(own.save(ID, state(1)).status()).isEqualTo(200);
        assertThat(own.unlock(ID).status()).isEqualTo(200);
        StateClient other = new StateClient(basic(CI), "/state/web-b/stage");
        assertThat(other.lock(ID).status()).isEqualTo(200);
        assertThat(other.save(ID, state(1)).status()).isEqualTo(200);
        StateClient foreign = new StateClient(web, "/state/web-b/stage");
        assertThat(foreign.load().status()).isEqualTo(403);
        assertThat(foreign.save(ID, state(2)).status()).isEqualTo(403);
        assertThat(foreign.lock(ID).status()).isEqualTo(403);
        assertThat(foreign.unlock(ID).status()).isEqualTo(403);
        assertThat(web.get("/state").body()).contains("web-a").doesNotContain("web-b");
        assertThat(web.get("/v2/locks?namespace=deploy").body()).doesNotContain("web-b");
        assertThat(web.get("/v2/history?namespace=deploy").body())
                .contains("web-a")
                .doesNotContain("web-b");
    }

    @Test
    @DisplayName("the lock of another is ended neither with the ID that is shown nor through the calls of locks")
    void shownId() {
        StateClient stack = new StateClient(basic(CI), "/state/held/prod");
        assertThat(stack.lock(ID).status()).isEqualTo(200);
        String lease = "{\"leases\":[{\"namespace\":\"deploy\",\"name\":\"stack:held:env:prod\",\"lease_id\":\"" + ID
                + "\"%s}]}";
        Client locker = basic(LOCKER);
        assertThat(locker.post("/v2/locks/release", lease.formatted("")).body()).contains("\"not_held\"", "\"reused\"");
        assertThat(locker.post("/v2/locks/renew", lease.formatted(",\"lease_ms\":100"))
                        .body())
                .contains("\"lost\"", "\"reused\"");
        StateClient second = new StateClient(basic(SECOND), "/state/held/prod");
        assertThat(second.save(ID, state(9)).status()).isEqualTo(403);
        assertThat(second.save(ID, state(9)).body()).contains("not-yours", "'ci'", "'second'");
        assertThat(stack.save(ID, state(2)).status()).isEqualTo(200);
        assertThat(basic(ADMIN).post("/v2/locks/release", lease.formatted("")).body())
                .contains("\"released\"");
    }

    @Test
    @DisplayName("an unlock with the ID of another's lock is a force: as far as the policy allows, and told as one")
    void unlockOfAnother() {
        StateClient stack = new StateClient(basic(CI), "/state/ended/prod");
        assertThat(stack.lock(ID).status()).isEqualTo(200);
        StateClient second = new StateClient(basic(SECOND), "/state/ended/prod");
        assertThat(second.unlock(ID).status()).isEqualTo(200);
        assertThat(stack.events("lock.forced").get(0).get("actor").text()).isEqualTo("second");
        assertThat(stack.save(ID, state(2)).status()).isEqualTo(409);
        try (TestServer strict = new Setup()
                .auth(AUTH)
                .state(new ServerOptions.State(
                        Optional.empty(),
                        StateConfig.DEFAULT,
                        new LockHabits(Duration.ofMinutes(2), Duration.ZERO, ForcePolicy.DENY),
                        10_000))
                .start()) {
            Client there = Client.of(strict);
            StateClient held = new StateClient(there.as(CI), "/state/ended/prod");
            assertThat(held.lock(ID).status()).isEqualTo(200);
            Answer denied = new StateClient(there.as(SECOND), "/state/ended/prod").unlock(ID);
            assertThat(denied.status()).isEqualTo(403);
            assertThat(denied.body()).contains("force-unlock-denied");
            assertThat(held.save(ID, state(2)).status()).isEqualTo(200);
            assertThat(held.unlock(ID).status()).isEqualTo(200);
        }
    }

    @Test
    @DisplayName("the role state is all that CI needs, and versions name the token it came with")
    void ci() {
        StateClient stack = new StateClient(basic(CI), "/state/web/prod");
        assertThat(stack.lock(ID).status()).isEqualTo(200);
        assertThat(stack.save(ID, state(1)).status()).isEqualTo(200);
        assertThat(stack.load().status()).isEqualTo(200);
        assertThat(stack.forceUnlock().status()).isEqualTo(200);
        assertThat(stack.history().get(0).get("by").text()).isEqualTo("ci (ci@" + ID + ")");
        assertThat(stack.events("lock.forced").get(0).get("actor").text()).isEqualTo("ci");
    }

    @Test
    @DisplayName("terraform comes in with Basic credentials")
    void terraform(@TempDir Path directory) {
        Terraform.assumePresent();
        String address = server.url() + "/state/tf/prod";
        Terraform a = Terraform.initialised(
                directory, address, tf -> tf.with("TF_HTTP_USERNAME", "any").with("TF_HTTP_PASSWORD", CI));
        a.apply("1").ok();
        StateClient stack = new StateClient(basic(READER), "/state/tf/prod");
        assertThat(stack.history().get(0).get("by").text()).startsWith("ci (");
        assertThat(a.with("TF_HTTP_PASSWORD", READER).apply("2").failed().said())
                .contains("invalid auth");
        assertThat(stack.history()).hasSize(1);
    }
}
