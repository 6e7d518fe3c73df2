package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.TestServer.Answer;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Keys of deployments as documents about them spell them: they exclude each other, whichever way they are written. */
@DisplayName("/v2 with the names of deployments")
class DeploySpellingTest {
    private static TestServer server;

    @BeforeAll
    static void start() {
        server = TestServer.onMemory();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static Answer acquire(String name, String more) {
        return server.post(
                "/v2/locks/acquire",
                "{\"namespace\":\"deploy\",\"name\":\"" + name + "\",\"owner\":\"o\",\"lease_ms\":60000" + more + "}");
    }

    private static Answer get(String name) {
        return server.get("/v2/lock?namespace=deploy&name=" + name);
    }

    @Test
    @DisplayName("a service excludes its stack and its components, not other services; all calls know it by its name")
    void hierarchy() {
        String stack = "stack:one:env:p";
        Answer taken = acquire(stack + ":service:users", ",\"lease_id\":\"lease-of-users\"");
        assertThat(taken.status()).isEqualTo(200);
        assertThat(taken.body()).contains("\"name\":\"" + stack + "\"", "\"path\":\"users\"");
        for (String other : List.of(stack, stack + ":service:users", stack + ":component:users/api")) {
            assertThat(acquire(other, "").status()).as(other).isEqualTo(423);
        }
        assertThat(acquire(stack, ",\"path\":\"users/api\"").status()).isEqualTo(423);
        assertThat(acquire(stack + ":component:orders/api", "").status()).isEqualTo(200);

        assertThat(get(stack + ":service:users").json().get("holders").list()).hasSize(1);
        assertThat(get(stack + ":component:orders/api").json().get("holders").list())
                .extracting(it -> it.get("path").text())
                .containsExactly("orders/api");
        assertThat(get(stack + ":service:billing").json().get("held").truth()).isFalse();
        assertThat(get(stack).json().get("holders").list()).hasSize(2);

        String lease = "{\"leases\":[{\"namespace\":\"deploy\",\"name\":\"" + stack
                + ":service:users\",\"lease_id\":\"lease-of-users\"}]}";
        assertThat(server.post("/v2/locks/renew", lease).body()).contains("\"renewed\"");
        assertThat(server.get("/v2/history?namespace=deploy&name=" + stack + ":service:users")
                        .body())
                .contains("\"users\"");
        assertThat(server.post("/v2/locks/release", lease).body()).contains("\"released\"");
    }

    @Test
    @DisplayName("a part is ended by force under its name, and not under the name of another")
    void force() {
        String stack = "stack:two:env:p";
        long token = acquire(stack + ":service:users", "")
                .json()
                .get("fencing_token")
                .number();
        assertThat(force(stack + ":service:orders", token).status()).isEqualTo(409);
        Answer forced = force(stack + ":service:users", token);
        assertThat(forced.status()).isEqualTo(200);
        assertThat(forced.json().get("path").text()).isEqualTo("users");
    }

    private static Answer force(String name, long token) {
        return server.post(
                "/v2/locks/force-unlock",
                "{\"namespace\":\"deploy\",\"name\":\"" + name + "\",\"fencing_token\":" + token
                        + ",\"reason\":\"test\"}");
    }

    @Test
    @DisplayName("what looks like a part and is none is 400 and says how it is written; so is a second, other part")
    void malformed() {
        for (String name :
                List.of("stack:x:env:p:component:api", "stack:x:env:p:service:a/b", "stack:x:env:p:service:")) {
            Answer refused = acquire(name, "");
            assertThat(refused.status()).as(name).isEqualTo(400);
            assertThat(refused.body()).contains(":component:{service}/{component}");
            assertThat(get(name).status()).as(name).isEqualTo(400);
        }
        assertThat(acquire("stack:x:env:p:service:users", ",\"path\":\"orders\"")
                        .status())
                .isEqualTo(400);
        assertThat(acquire("stack:x:env:p:service:users", ",\"paths\":[\"a\",\"b\"]")
                        .status())
                .isEqualTo(400);
        assertThat(acquire("stack:x:env:p:service:users", ",\"path\":\"users\"").status())
                .isEqualTo(200);
    }
}
