package dev.holdfast.server;

import static dev.holdfast.server.StateClient.state;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.TestServer.Answer;
import dev.holdfast.server.auth.AuthConfig;
import dev.holdfast.server.auth.Grants;
import dev.holdfast.server.auth.Role;
import dev.holdfast.server.auth.TokenEntry;
import dev.holdfast.server.http.Route;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
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
    private static final String ELSEWHERE = "hf_elsewhere-secret-0123456789";

    private static TestServer server;
    private static Client anyone;

    @BeforeAll
    static void start() {
        server = new Setup()
                .auth(new AuthConfig(
                        false,
                        Optional.empty(),
                        List.of(
                                entry("ci", CI, Grants.in("deploy", Role.STATE)),
                                entry("reader", READER, Grants.in("deploy", Role.READ)),
                                entry("elsewhere", ELSEWHERE, Grants.in("other", Role.ADMIN)))))
                .start();
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
    @DisplayName("who may read can look at everything and change nothing")
    void reader() {
        Client reader = basic(READER);
        for (Route route : routes()) {
            boolean looks = route.method().name().equals("GET") || route.path().endsWith("/verify");
            int status =
                    reader.send(SampleCalls.of(reader, route, "prod", "shop")).status();
            if (looks) {
                assertThat(status).as(route.path()).isIn(200, 404);
            } else {
                assertThat(status).as(route.path()).isEqualTo(403);
            }
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
