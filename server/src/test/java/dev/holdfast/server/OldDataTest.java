package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.server.TestServer.Answer;
import dev.holdfast.server.config.Settings;
import dev.holdfast.spi.StoreUnusableException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The recorded servers were killed in the middle of their work: this version goes on where they were. */
@DisplayName("This version, started on the data of an earlier one,")
class OldDataTest {
    private static final String HOLDER = "0a6f7d1e-52c3-4f80-9a3e-7f4d0c1b2a33";

    @TempDir
    private Path directory;

    /** The recordings grow old: nothing of them may be past its time. */
    private TestServer start(String store) {
        return TestServer.start(ServerSetup.of(Settings.load(
                List.of(
                        "--port=0",
                        "--store=" + store,
                        "--locks.retention=3650d",
                        "--history.retention=3650d",
                        "--state.history-retention=3650d"),
                Map.of(),
                directory)));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("embedded: holders keep their locks and tokens, waiters their turn, and what ended stays ended")
    void embedded(RecordedVersion version) {
        try (TestServer server = start(version.embeddedIn(directory))) {
            goesOnHolding(server, version);
            remembers(server);
            tokensGrow(server, version.fence("ended"));
            stateGoesOn(server);
            guardGoesOn(server);
            historyGoesOn(server);
        }
        try (TestServer again = start("sqlite:" + directory.resolve("holdfast.db"))) {
            assertThat(look(again, "held").get("holders").get(0).get("owner").text())
                    .isEqualTo("worker-7");
        }
    }

    /** Here time went on while nobody served, so only what has no end is still held. */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = "PAST_WITHOUT_TIMES") // as this version writes it, and all other tests read it
    @DisplayName("PostgreSQL: what ended stays ended, state and guard go on, tokens and events are above the old ones")
    void postgres(RecordedVersion version) {
        try (TestServer server = start(version.inPostgres())) {
            remembers(server);
            tokensGrow(server, look(server, "ended").get("latest_token").number());
            stateGoesOn(server);
            guardGoesOn(server);
            historyGoesOn(server);
        }
    }

    private static Json look(TestServer server, String name) {
        return server.get("/v2/lock?namespace=old&name=" + name).json();
    }

    private static Answer acquire(TestServer server, String name, String leaseId, String more) {
        return server.post(
                "/v2/locks/acquire",
                "{\"namespace\":\"old\",\"name\":\"" + name + "\",\"lease_id\":\"" + leaseId + "\",\"lease_ms\":60000"
                        + more + "}");
    }

    private static Json result(TestServer server, String call, String name, String leaseId) {
        return server.post(
                        "/v2/locks/" + call,
                        "{\"leases\":[{\"namespace\":\"old\",\"name\":\"" + name + "\",\"lease_id\":\"" + leaseId
                                + "\"}]}")
                .json()
                .get("results")
                .get(0);
    }

    private static void goesOnHolding(TestServer server, RecordedVersion version) {
        Json held = look(server, "held");
        assertThat(held.get("holders").get(0).get("reason").text()).isEqualTo("invoices of March");
        Json renewed = result(server, "renew", "held", "old-held-0001");
        assertThat(renewed.get("outcome").text()).isEqualTo("renewed");
        assertThat(renewed.get("fencing_token").number()).isEqualTo(version.fence("held"));
        assertThat(look(server, "shared").get("holders").list()).hasSize(2);
        assertThat(acquire(server, "quota", "new-permit-03", ",\"mode\":\"permit\",\"limit\":2")
                        .status())
                .isEqualTo(423);
        assertThat(result(server, "release", "quota", "old-permit-01")
                        .get("outcome")
                        .text())
                .isEqualTo("released");
        assertThat(acquire(server, "quota", "new-permit-04", ",\"mode\":\"permit\",\"limit\":2")
                        .status())
                .isEqualTo(200);
        assertThat(acquire(server, "tree", "new-path-0001", ",\"path\":\"eu\"").status())
                .isEqualTo(423);
        assertThat(acquire(server, "tree", "new-path-0002", ",\"path\":\"eu/invoices\"")
                        .status())
                .isEqualTo(200);
        String v1 = "/v1/billing/lock/invoice-run/";
        assertThat(server.post(v1 + "acquire", "{\"instanceId\":\"pod-2\",\"leaseDuration\":60}")
                        .status())
                .isEqualTo(423);
        assertThat(server.post(v1 + "renew", "{\"instanceId\":\"pod-1\",\"leaseDuration\":30}")
                        .status())
                .isEqualTo(200);
    }

    private static void remembers(TestServer server) {
        Answer released = acquire(server, "ended", "old-ended-001", "");
        assertThat(released.status()).as(released.body()).isEqualTo(409);
        assertThat(released.json().get("reason").text()).isEqualTo("released");
        assertThat(acquire(server, "ended", "old-ended-002", "")
                        .json()
                        .get("reason")
                        .text())
                .isEqualTo("forced");
        Answer once = acquire(server, "once", "new-once-0001", "");
        assertThat(once.status()).as(once.body()).isEqualTo(200);
        assertThat(once.body()).contains("v42");
    }

    private static void tokensGrow(TestServer server, long before) {
        Answer granted = acquire(server, "ended", "new-ended-001", "");
        assertThat(granted.json().get("fencing_token").number()).isGreaterThan(before);
    }

    private static void stateGoesOn(TestServer server) {
        String stack = "/state/shop/prod";
        String before = server.get(stack).body();
        assertThat(before).contains("\"serial\":2", "old-lineage");
        assertThat(server.get(stack + "/history").json().get("items").list()).hasSize(2);
        assertThat(server.post(stack + "/verify", "{}").status()).isEqualTo(200);
        String taken = "{\"ID\":\"11111111-2222-4333-8444-555555555555\",\"Who\":\"eve\"}";
        assertThat(server.send(server.request(stack).method("LOCK", BodyPublishers.ofString(taken)))
                        .status())
                .isEqualTo(423);
        String next = before.replace("\"serial\":2", "\"serial\":3");
        assertThat(server.post(stack + "?ID=6e1d3a52-9f0b-4c1e-8d57-2f6f0c9b7a11", next)
                        .status())
                .isEqualTo(409);
        Answer saved = server.post(stack + "?ID=" + HOLDER, next);
        assertThat(saved.status()).as(saved.body()).isEqualTo(200);
        assertThat(server.get(stack).body()).isEqualTo(next);
        assertThat(server.send(server.request(stack)
                                .method("UNLOCK", BodyPublishers.ofString("{\"ID\":\"" + HOLDER + "\"}")))
                        .status())
                .isEqualTo(200);
    }

    private static void guardGoesOn(TestServer server) {
        assertThat(server.get("/api/guard/apps").json().get("items").list())
                .extracting(app -> app.get("app").text())
                .containsExactly("billing", "shop");
        Json resource = server.get("/api/guard/resources").json().get("items").get(0);
        assertThat(resource.get("db_identifier").text()).isEqualTo("db1:5432");
        assertThat(resource.get("intents").get(0).get("requested_by").text()).isEqualTo("shop");
        assertThat(resource.get("decisions").list()).isNotEmpty();
        assertThat(server.post("/api/guard/apps/shop/start", "{}").status()).isEqualTo(200);
    }

    private static void historyGoesOn(TestServer server) {
        List<Json> events = server.get("/v2/history?namespace=old&name=ended")
                .json()
                .get("items")
                .list();
        assertThat(events)
                .extracting(event -> event.get("event").text())
                .contains("lock.acquired", "lock.released", "lock.forced");
        assertThat(events)
                .extracting(event -> event.get("event_id").number())
                .isSortedAccordingTo((a, b) -> Long.compare(b, a));
    }

    // ---- what is refused

    @Test
    @DisplayName("refuses tables of a newer one, says so, and leaves every byte as it was")
    void newerTables() throws SQLException {
        String store = RecordedVersion.NEWEST.embeddedIn(directory);
        sql("update holdfast_meta set value = '2' where key = 'schema'");
        assertThatThrownBy(() -> start(store))
                .isInstanceOf(StoreUnusableException.class)
                .hasMessageContaining("was written by a newer Holdfast")
                .hasMessageContaining("tables of version 2, this one knows 1")
                .hasMessageContaining("upgrade this process");
        sql("update holdfast_meta set value = '1' where key = 'schema'");
        try (TestServer server = start(store)) {
            goesOnHolding(server, RecordedVersion.NEWEST);
        }
    }

    @Test
    @DisplayName("shows a record in a newer format, refuses to change it, and serves all others")
    void newerRecord() throws SQLException {
        String store = RecordedVersion.NEWEST.embeddedIn(directory);
        // With an end far away: nobody can renew what nobody can read.
        sql("update holdfast_lock set body = replace(replace(body, '{\"format\":1', '{\"format\":2'),"
                + " '\"expires_at\":1', '\"expires_at\":2') where name = 'shared'");
        try (TestServer server = start(store)) {
            assertThat(look(server, "shared").get("holders").list()).hasSize(2);
            Answer refused = acquire(server, "shared", "new-shared-01", ",\"mode\":\"shared\"");
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.json().get("detail").text()).contains("newer Holdfast", "format 2", "upgrade");
            assertThat(result(server, "renew", "held", "old-held-0001")
                            .get("outcome")
                            .text())
                    .isEqualTo("renewed");
        }
    }

    @Test
    @DisplayName("refuses state and guard, and says why, where the tables of documents are newer; locks work")
    void newerDocuments() throws SQLException {
        String store = RecordedVersion.NEWEST.embeddedIn(directory);
        try (Connection connection = open("holdfast-documents.db");
                Statement run = connection.createStatement()) {
            run.executeUpdate("alter table holdfast_document rename column tag to etag");
        }
        try (TestServer server = start(store)) {
            Answer state = server.get("/state/shop/prod");
            assertThat(state.status()).isEqualTo(501);
            assertThat(state.json().get("detail").text()).contains("newer Holdfast", "It was not touched");
            Answer guard = server.get("/api/guard/apps");
            assertThat(guard.status()).isEqualTo(503);
            assertThat(guard.json().get("detail").text()).contains("newer Holdfast", "It was not touched");
            goesOnHolding(server, RecordedVersion.NEWEST);
        }
    }

    private void sql(String statement) throws SQLException {
        try (Connection connection = open("holdfast.db");
                Statement run = connection.createStatement()) {
            assertThat(run.executeUpdate(statement)).isEqualTo(1);
        }
    }

    private Connection open(String file) throws SQLException {
        return DriverManager.getConnection("jdbc:sqlite:" + directory.resolve(file));
    }
}
