package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.memory.MemoryStore;
import dev.holdfast.server.auth.Grants;
import dev.holdfast.server.auth.Role;
import dev.holdfast.server.auth.TokenEntry;
import dev.holdfast.server.auth.login.AuthConfig;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("an overview, and lists that are filtered and ordered by the server")
class OverviewTest {
    private static final String ADMIN = "token-of-admin";
    private static final String BILLING = "token-of-billing";
    private static final String ONE_LOCK = "token-of-one-lock";

    private final MemoryStore store = MemoryStore.exclusive();
    private TestServer server;
    private Client admin;

    @BeforeEach
    void start() {
        server = new Setup()
                .auth(new AuthConfig(
                        false,
                        Optional.empty(),
                        List.of(
                                TokenEntry.of("admin", ADMIN, Grants.everywhere(Role.ADMIN)),
                                TokenEntry.of("billing", BILLING, Grants.in("billing", Role.READ)),
                                TokenEntry.of(
                                        "one", ONE_LOCK, new Grants(Map.of("billing/invoices", Set.of(Role.READ)))))))
                .start(store);
        admin = Client.of(server).as(ADMIN);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private void take(String namespace, String name, String owner, String more) {
        assertThat(admin.post(
                                "/v2/locks/acquire",
                                "{\"namespace\":\"" + namespace + "\",\"name\":\"" + name + "\",\"owner\":\"" + owner
                                        + "\",\"lease_ms\":600000,\"lease_id\":\"lease-" + owner + "\"" + more + "}")
                        .status())
                .isIn(200, 202);
    }

    private void busyServer() {
        take("billing", "invoices", "worker-1", ",\"reason\":\"March\"");
        take("billing", "invoices", "worker-2", ",\"wait_ms\":1");
        take("billing", "invoices", "worker-3", ",\"wait_ms\":1");
        take("billing", "refunds", "worker-4", ",\"mode\":\"shared\"");
        take("secret", "merger", "worker-5", "");
        take("secret", "merger", "worker-6", ",\"wait_ms\":1");
    }

    @Test
    @DisplayName("tells how it stands, what is waited for most, and what happened last")
    void overview() {
        busyServer();
        Json all = admin.get("/v2/overview").json();
        assertThat(all.get("health").get("status").text()).isEqualTo("UP");
        assertThat(all.get("locks").get("held").number()).isEqualTo(3);
        assertThat(all.get("locks").get("holders").number()).isEqualTo(3);
        assertThat(all.get("locks").get("waiting").number()).isEqualTo(3);
        assertThat(all.get("hottest").list()).hasSize(2);
        assertThat(all.get("hottest").list().get(0).get("lock").get("name").text())
                .isEqualTo("invoices");
        assertThat(all.get("hottest").list().get(0).get("waiters").number()).isEqualTo(2);
        assertThat(all.get("activity").get("lines").get("held").list()).hasSize(60);
        assertThat(all.get("activity").get("grants_per_second").value()).isNotEqualTo(0);
        assertThat(all.get("events").list().get(0).get("event").text()).isEqualTo("lock.queued");
    }

    @Test
    @DisplayName("leaves out what the caller may not read, in counts, lists and events")
    void narrowed() {
        busyServer();
        for (String token : List.of(BILLING, ONE_LOCK)) {
            String text = Client.of(server).as(token).get("/v2/overview").body();
            assertThat(text).contains("invoices").doesNotContain("secret", "merger", "worker-5", "worker-6");
        }
        assertThat(Client.of(server)
                        .as(ONE_LOCK)
                        .get("/v2/overview")
                        .json()
                        .get("locks")
                        .get("held")
                        .number())
                .isEqualTo(1);
        assertThat(Client.of(server)
                        .as(BILLING)
                        .get("/v2/overview?namespace=secret")
                        .status())
                .isEqualTo(403);
        assertThat(admin.get("/v2/overview?namespace=secret")
                        .json()
                        .get("locks")
                        .get("held")
                        .number())
                .isEqualTo(1);
    }

    @Test
    @DisplayName("what was forced is among the warnings until something else is newer about it")
    void warnings() {
        busyServer();
        long token = admin.get("/v2/lock?namespace=billing&name=refunds")
                .json()
                .get("holders")
                .list()
                .get(0)
                .get("fencing_token")
                .number();
        assertThat(admin.post(
                                "/v2/locks/force-unlock",
                                "{\"namespace\":\"billing\",\"name\":\"refunds\",\"fencing_token\":" + token
                                        + ",\"reason\":\"gone\"}")
                        .status())
                .isEqualTo(200);
        List<Json> warnings = admin.get("/v2/overview?namespace=billing")
                .json()
                .get("warnings")
                .list();
        assertThat(warnings).extracting(it -> it.get("event").text()).containsExactly("lock.forced");
    }

    @Test
    @DisplayName("a store that fails is told as failing, not as empty")
    void failing() {
        busyServer();
        store.close();
        TestServer.Answer answer = admin.get("/v2/overview");
        assertThat(answer.status()).as(answer.body()).isEqualTo(503);
        assertThat(admin.get("/v2/locks?state=busy&count=true").status()).isEqualTo(503);
    }

    private List<String> names(Client client, String query) {
        return client.get("/v2/locks?" + query).json().get("items").list().stream()
                .map(it -> it.get("name").text())
                .toList();
    }

    @Test
    @DisplayName(
            "words are looked for in keys, owners and reasons, whatever their case; modes and states narrow further")
    void filters() {
        busyServer();
        assertThat(names(admin, "q=MARCH")).containsExactly("invoices");
        assertThat(names(admin, "q=worker-2+invo")).containsExactly("invoices");
        assertThat(names(admin, "q=billing:ref")).containsExactly("refunds");
        assertThat(names(admin, "q=nothing+like+it")).isEmpty();
        assertThat(names(admin, "mode=shared")).containsExactly("refunds");
        assertThat(names(admin, "state=waiting")).containsExactly("invoices", "merger");
        assertThat(names(admin, "state=expiring")).isEmpty();
        assertThat(names(Client.of(server).as(BILLING), "q=worker")).containsExactly("invoices", "refunds");
    }

    @Test
    @DisplayName("another order begins with the first of all, and says of how many")
    void ordered() {
        busyServer();
        assertThat(names(admin, "order=waiting&state=busy")).containsExactly("invoices", "merger", "refunds");
        assertThat(names(admin, "order=held&state=busy")).containsExactly("invoices", "refunds", "merger");
        Json first = admin.get("/v2/locks?order=waiting&state=busy&limit=1").json();
        assertThat(first.get("items").list()).hasSize(1);
        assertThat(first.get("total").number()).isEqualTo(3);
        assertThat(first.get("total_complete").value()).isEqualTo(true);
        assertThat(first.get("next_cursor").value()).isNull();
        Json counted = admin.get("/v2/locks?state=busy&limit=1&count=true").json();
        assertThat(counted.get("total").number()).isEqualTo(3);
        assertThat(counted.get("namespaces").list())
                .extracting(
                        it -> it.get("namespace").text() + " " + it.get("locks").number())
                .containsExactly("billing 2", "secret 1");
        assertThat(Client.of(server)
                        .as(BILLING)
                        .get("/v2/locks?state=busy&count=true")
                        .json()
                        .get("total")
                        .number())
                .isEqualTo(2);
        assertThat(admin.get("/v2/locks?order=held&cursor=eA").status()).isEqualTo(400);
    }
}
