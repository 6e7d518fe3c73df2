package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.TestServer.Answer;
import dev.holdfast.testkit.Await;
import java.net.http.HttpRequest.BodyPublishers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** While some servers are newer than others: what a newer one wrote in a format of its own is shown, and never written. */
@DisplayName("a record in a newer format")
class RollingUpgradeTest {
    private static String schema = "";
    private static TestServer server;
    private static Client client;
    private static int names;

    private final String name = "lock-" + names++;

    @BeforeAll
    static void start() {
        String url = Postgres.server().freshSchema();
        schema = url.substring(url.indexOf('=') + 1);
        server = new Setup().store(url).start();
        client = Client.of(server);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** As a newer server would: another format, another stamp, and a field nobody here knows. */
    private void upgrade() throws SQLException {
        sql("update " + schema + ".holdfast_lock set format = 2, stamp = stamp + 1, body ="
                + " replace(body::text, '{\"format\":1', '{\"format\":2,\"shards\":{\"count\":2.50, \"x\":[1]}')::json"
                + " where name = '" + name + "'");
        assertThat(stored()).contains("\"format\":2", "\"count\":2.50, \"x\"");
    }

    private static void sql(String statement) throws SQLException {
        try (Connection connection = Postgres.server().connect("postgres");
                Statement run = connection.createStatement()) {
            assertThat(run.executeUpdate(statement)).isEqualTo(1);
        }
    }

    /** Everything stored of the lock, as it is. */
    private String stored() throws SQLException {
        try (Connection connection = Postgres.server().connect("postgres");
                Statement run = connection.createStatement();
                ResultSet row = run.executeQuery("select stamp || '|' || fence || '|' || format || '|' || busy || '|'"
                        + " || body::text || '|' || past from " + schema + ".holdfast_lock where name = '" + name
                        + "'")) {
            assertThat(row.next()).isTrue();
            return row.getString(1);
        }
    }

    private void assertUnusable(Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(503);
        assertThat(answer.header("Retry-After")).isNotEmpty();
        assertThat(answer.json().get("code").text()).isEqualTo("store-unusable");
        assertSays(answer.json().get("detail").text());
    }

    private void assertSays(String message) {
        assertThat(message).contains("'" + name + "'", "newer Holdfast", "format 2", "upgrade");
    }

    private void assertUnknown(Answer batch) {
        assertThat(batch.status()).isEqualTo(200);
        assertThat(Client.outcome(batch)).as(batch.body()).isEqualTo("unknown");
        assertSays(batch.json().get("results").get(0).get("reason").text());
    }

    @Test
    @DisplayName("is shown by every look, and no call changes a byte of it")
    void readOnly() throws SQLException {
        Answer granted = client.acquire(name, "holder-" + name, "\"owner\":\"new-server\"");
        long token = granted.json().get("fencing_token").number();
        upgrade();
        String before = stored();

        assertThat(client.look(name).get("holders").get(0).get("owner").text()).isEqualTo("new-server");
        assertThat(client.get("/v2/locks?namespace=n&state=held&prefix=" + name)
                        .json()
                        .get("items")
                        .list())
                .hasSize(1);
        assertThat(client.get("/api/locks/status?lockName=" + name)
                        .json()
                        .get("count")
                        .number())
                .isEqualTo(1);
        assertThat(client.post("/v2/fence/check", "{" + Client.key(name) + ",\"fencing_token\":" + token + "}")
                        .json()
                        .get("current")
                        .truth())
                .isTrue();

        assertUnusable(client.acquire(name, "another-" + name, ""));
        assertUnusable(client.acquire(name, "waiting-" + name, "\"wait_ms\":2000"));
        assertUnusable(client.acquire(name, "holder-" + name, "\"owner\":\"new-server\""));
        assertUnknown(client.renew(name, "holder-" + name));
        assertUnknown(client.release(name, "holder-" + name));
        assertUnusable(client.post(
                "/v2/locks/force-unlock",
                "{" + Client.key(name) + ",\"fencing_token\":" + token + ",\"reason\":\"stuck\"}"));
        cleanUp();
        assertThat(stored()).isEqualTo(before);
    }

    @Test
    @DisplayName("is not taken over either when nobody holds it, or its lease ended")
    void idleOrExpired() throws SQLException {
        client.acquire(name, "holder-" + name, "");
        client.release(name, "holder-" + name);
        upgrade();
        String idle = stored();
        assertUnusable(client.acquire(name, "another-" + name, ""));
        assertThat(client.look(name).get("holders").list()).isEmpty();
        cleanUp();
        assertThat(stored()).isEqualTo(idle);
    }

    @Test
    @DisplayName("whose lease ended stays for a newer server to judge")
    void expired() throws SQLException {
        client.acquire(name, "holder-" + name, "\"lease_ms\":100");
        upgrade();
        String expired = stored();
        Await.until(
                "the lease ends", () -> client.look(name).get("holders").list().isEmpty());
        assertUnusable(client.acquire(name, "another-" + name, ""));
        cleanUp();
        assertThat(stored()).isEqualTo(expired);
    }

    private static void cleanUp() {
        Answer answer = client.send(client.request("/api/locks/cleanup").POST(BodyPublishers.noBody()));
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    }

    @Test
    @DisplayName("is 503 with the same words in /v1")
    void compatible() throws SQLException {
        String path = "/v1/nnn/lock/" + name;
        String body = "{\"instanceId\":\"pod-1\",\"leaseDuration\":60}";
        assertThat(client.post(path + "/acquire", body).status()).isEqualTo(200);
        upgrade();
        String before = stored();
        assertThat(client.get(path).json().get("owner").text()).isEqualTo("anonymous");
        for (String call : new String[] {"/acquire", "/renew"}) {
            assertCompatible(client.post(path + call, body));
        }
        assertCompatible(client.post(path + "/release", "{\"instanceId\":\"pod-1\"}"));
        assertThat(stored()).isEqualTo(before);
    }

    private void assertCompatible(Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(503);
        assertThat(answer.json().fields()).containsExactlyInAnyOrder("message", "errorId");
        assertSays(answer.json().get("message").text());
    }

    @Test
    @DisplayName("does not hinder other locks, not even in the same batch")
    void others() throws SQLException {
        client.acquire(name, "holder-" + name, "");
        client.acquire(name + "-b", "holder-" + name, "");
        upgrade();
        Answer renewed = client.renew(name, "holder-" + name, name + "-b", "holder-" + name);
        assertThat(renewed.json().get("results").list())
                .extracting(result -> result.get("outcome").text())
                .containsExactly("unknown", "renewed");
        assertThat(Client.outcome(client.release(name + "-b", "holder-" + name)))
                .isEqualTo("released");
        assertThat(client.get("/health/ready").status()).isEqualTo(200);
    }
}
