package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The calls of LockServiceCentral (004.6, 004.7), as its clients see them. */
@DisplayName("/v1")
class V1Test {
    private static TestServer server;
    private static int names;
    private final String name = "lock-" + names++;
    private final String path = "/v1/team-a/lock/" + name;

    @BeforeAll
    static void start() {
        server = TestServer.onMemory();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static String body(String instance, int seconds) {
        return "{\"instanceId\":\"" + instance + "\",\"leaseDuration\":" + seconds + "}";
    }

    @Test
    @DisplayName("acquire answers with exactly the fields of the contract, and the token in the header")
    void acquire() {
        long before = Instant.now().getEpochSecond();
        TestServer.Answer answer = server.post(path + "/acquire", body("pod-1", 60));
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().fields())
                .containsExactly("success", "namespace", "lockName", "owner", "instanceId", "leaseDuration", "expiry");
        assertThat(answer.json().get("success").truth()).isTrue();
        assertThat(answer.json().get("owner").text()).isEqualTo("anonymous");
        assertThat(answer.json().get("leaseDuration").number()).isEqualTo(60);
        assertThat(answer.json().get("expiry").number()).isBetween(before + 60, before + 62);
        assertThat(Long.parseLong(answer.header("Fencing-Token"))).isPositive();
    }

    @Test
    @DisplayName(
            "another instance gets 423 with exactly three fields; the same one gets the lock again, with its token")
    void heldAndAgain() {
        TestServer.Answer first = server.post(path + "/acquire", body("pod-1", 60));
        TestServer.Answer other = server.post(path + "/acquire", body("pod-2", 60));
        assertThat(other.status()).isEqualTo(423);
        assertThat(other.body())
                .isEqualTo("{\"success\":false,\"namespace\":\"team-a\",\"lockName\":\"" + name + "\"}\n");
        TestServer.Answer again = server.post(path + "/acquire", body("pod-1", 1));
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.header("Fencing-Token")).isEqualTo(first.header("Fencing-Token"));
        assertThat(again.json().get("expiry").number())
                .isGreaterThanOrEqualTo(first.json().get("expiry").number());
    }

    @Test
    @DisplayName("a look tells owner and expiry while held, and never the instance")
    void look() {
        assertThat(server.get(path).body()).isEqualTo("{\"namespace\":\"team-a\",\"lockName\":\"" + name + "\"}\n");
        server.post(path + "/acquire", body("pod-1", 60));
        assertThat(server.get(path).json().fields()).containsExactly("namespace", "lockName", "owner", "expiry");
    }

    @Test
    @DisplayName("renew adds to expiry and duration, and the time left never exceeds a day")
    void renew() {
        long expiry = server.post(path + "/acquire", body("pod-1", 60))
                .json()
                .get("expiry")
                .number();
        TestServer.Answer renewed = server.post(path + "/renew", body("pod-1", 30));
        assertThat(renewed.json().get("expiry").number()).isEqualTo(expiry + 30);
        assertThat(renewed.json().get("leaseDuration").number()).isEqualTo(90);
        TestServer.Answer most = server.post(path + "/renew", body("pod-1", 86_400));
        assertThat(most.json().get("expiry").number())
                .isLessThanOrEqualTo(Instant.now().getEpochSecond() + 86_401);
    }

    @Test
    @DisplayName("renew of what is absent or another's is 423")
    void renewNothing() {
        assertThat(server.post(path + "/renew", body("pod-1", 30)).status()).isEqualTo(423);
        server.post(path + "/acquire", body("pod-1", 60));
        assertThat(server.post(path + "/renew", body("pod-2", 30)).status()).isEqualTo(423);
    }

    @Test
    @DisplayName("release is 200 for the holder, again, and when free; 423 for another's")
    void release() {
        String mine = "{\"instanceId\":\"pod-1\"}";
        assertThat(server.post(path + "/release", mine).status()).isEqualTo(200);
        server.post(path + "/acquire", body("pod-1", 60));
        assertThat(server.post(path + "/release", "{\"instanceId\":\"pod-2\"}").status())
                .isEqualTo(423);
        TestServer.Answer released = server.post(path + "/release", mine);
        assertThat(released.body())
                .isEqualTo("{\"success\":true,\"namespace\":\"team-a\",\"lockName\":\"" + name + "\"}\n");
        assertThat(server.post(path + "/release", mine).status()).isEqualTo(200);
        assertThat(server.post(path + "/acquire", body("pod-1", 60)).status())
                .as("the same instance again")
                .isEqualTo(200);
    }

    @Test
    @DisplayName("after its end a lock is anybody's, and its holder may still release it")
    void expired() throws InterruptedException {
        server.post(path + "/acquire", body("pod-1", 1));
        Thread.sleep(2_100); // the last whole second has to pass on the server's own clock
        assertThat(server.post(path + "/renew", body("pod-1", 5)).status()).isEqualTo(423);
        assertThat(server.post(path + "/release", "{\"instanceId\":\"pod-1\"}").status())
                .isEqualTo(200);
        assertThat(server.post(path + "/acquire", body("pod-2", 5)).status()).isEqualTo(200);
    }

    @Test
    @DisplayName("/v1 and /v2 see the same lock, and /v2 cannot name what /v1 holds")
    void oneKeySpace() {
        server.post(path + "/acquire", body("pod-1", 60));
        String ask = "{\"namespace\":\"team-a\",\"name\":\"" + name + "\",\"lease_ms\":1000";
        assertThat(server.post("/v2/locks/acquire", ask + "}").status()).isEqualTo(423);
        TestServer.Answer guessed =
                server.post("/v2/locks/acquire", ask + ",\"lease_id\":\"v1.pod-1.0123456789012345678901\"}");
        assertThat(guessed.status()).isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"instanceId\":\"pod-1\"}",
                "{\"instanceId\":\"p\",\"leaseDuration\":5}",
                "{\"instanceId\":\"pod-1\",\"leaseDuration\":0}",
                "{\"instanceId\":\"pod-1\",\"leaseDuration\":86401}",
                "{\"instanceId\":\"pod-1\",\"leaseDuration\":1.5}",
                "{\"instanceId\":\"pod-1\",\"leaseDuration\":\"5\"}",
                "{\"instanceId\":\"pod-1\",\"leaseDuration\":5,\"more\":1}",
                "{\"instanceId\":\"pod-1\",\"instanceId\":\"pod-2\",\"leaseDuration\":5}",
                "{\"instanceId\":null,\"leaseDuration\":5}",
                "[]",
                "{",
                ""
            })
    @DisplayName("what is wrong is 400 with a message and details, and changes nothing")
    void invalid(String body) {
        TestServer.Answer answer = server.post(path + "/acquire", body);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().fields()).containsExactly("message", "details");
        assertThat(answer.json().get("details").list()).isNotEmpty();
        assertThat(server.get(path).json().has("owner")).isFalse();
    }

    @Test
    @DisplayName("bad names, unknown paths, wrong methods and types are told in the same way")
    void otherErrors() {
        assertThat(server.get("/v1/x/lock/" + name).json().fields()).containsExactly("message", "details");
        TestServer.Answer nowhere = server.get("/v1/team-a/lock/" + name + "/nowhere");
        assertThat(nowhere.status()).isEqualTo(404);
        assertThat(nowhere.json().fields()).containsExactly("message", "errorId");
        TestServer.Answer method = server.get(path + "/acquire");
        assertThat(method.status()).isEqualTo(405);
        assertThat(method.header("Allow")).isEqualTo("POST");
        assertThat(method.json().fields()).containsExactly("message", "errorId");
        TestServer.Answer type = server.send(
                server.posting(path + "/acquire", body("pod-1", 5)).setHeader("Content-Type", "text/plain"));
        assertThat(type.status()).isEqualTo(415);
    }
}
