package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.TestServer.Answer;
import dev.holdfast.testkit.Await;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The native calls, as a client sees them. */
@DisplayName("/v2")
class V2Test {
    private static TestServer server;
    private static int names;
    private final String name = "lock " + names++;

    @BeforeAll
    static void start() {
        server = TestServer.onMemory();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private String ask(String more) {
        return "{\"namespace\":\"n\",\"name\":\"" + name + "\"" + (more.isEmpty() ? "" : "," + more) + "}";
    }

    private Answer acquire(String more) {
        return server.post("/v2/locks/acquire", ask("\"lease_ms\":60000" + (more.isEmpty() ? "" : "," + more)));
    }

    private Answer release(Answer granted) {
        return server.post(
                "/v2/locks/release", leases(granted.json().get("lease_id").text(), ""));
    }

    private String leases(String leaseId, String more) {
        return "{\"leases\":[" + ask("\"lease_id\":\"" + leaseId + "\"" + more) + "]}";
    }

    private Answer look() {
        return server.get("/v2/lock?namespace=n&name=" + name.replace(" ", "%20"));
    }

    // ---- acquire

    @Test
    @DisplayName("a free lock is granted, with every field of the lease")
    void acquire() {
        Answer granted =
                acquire("\"owner\":\"worker-7\",\"path\":\"a/b\",\"metadata\":{\"k\":\"v\"},\"reason\":\"why\"");
        assertThat(granted.status()).isEqualTo(200);
        assertThat(granted.json().fields())
                .containsExactly(
                        "namespace",
                        "name",
                        "path",
                        "mode",
                        "owner",
                        "lease_id",
                        "fencing_token",
                        "granted_at",
                        "expires_at",
                        "lease_ms");
        assertThat(granted.json().get("owner").text()).isEqualTo("worker-7");
        assertThat(granted.json().get("path").text()).isEqualTo("a/b");
        assertThat(granted.json().get("mode").text()).isEqualTo("exclusive");
        assertThat(granted.json().get("granted_at").text())
                .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");
        assertThat(Instant.parse(granted.json().get("expires_at").text()))
                .isAfter(Instant.now().plusSeconds(55));
    }

    @Test
    @DisplayName("a held lock is 423, says who has it and when to ask again, and shows no lease id")
    void held() {
        Answer granted = acquire("\"owner\":\"worker-7\",\"reason\":\"deploying\"");
        Answer refused = acquire("");
        assertThat(refused.status()).isEqualTo(423);
        assertThat(refused.header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(refused.header("Retry-After")).isNotEmpty();
        assertThat(refused.json().get("code").text()).isEqualTo("held");
        assertThat(refused.json().get("detail").text()).contains("worker-7", "deploying", name);
        assertThat(refused.json().get("request_id").text()).isEqualTo(refused.header("X-Request-Id"));
        assertThat(refused.json().get("holders").get(0).get("owner").text()).isEqualTo("worker-7");
        assertThat(refused.json().get("queue_length").number()).isZero();
        assertThat(refused.json().get("retry_after_ms").number()).isPositive();
        assertThat(refused.body()).doesNotContain(granted.json().get("lease_id").text());
    }

    @Test
    @DisplayName("the same lease id is the same acquisition; with another owner, mode or path it is 409")
    void sameLeaseId() {
        Answer first = acquire("\"lease_id\":\"my-lease-1\"");
        assertThat(acquire("\"lease_id\":\"my-lease-1\"")
                        .json()
                        .get("fencing_token")
                        .number())
                .isEqualTo(first.json().get("fencing_token").number());
        assertThat(acquire("\"lease_id\":\"my-lease-1\",\"owner\":\"other\"").status())
                .isEqualTo(409);
        assertThat(acquire("\"lease_id\":\"my-lease-1\",\"mode\":\"shared\"").status())
                .isEqualTo(409);
        assertThat(acquire("\"lease_id\":\"my-lease-1\",\"path\":\"x\"").status())
                .isEqualTo(409);
        release(first);
        Answer ended = acquire("\"lease_id\":\"my-lease-1\"");
        assertThat(ended.status()).isEqualTo(409);
        assertThat(ended.json().get("code").text()).isEqualTo("lease-lost");
    }

    @Test
    @DisplayName("readers share, permits count up to the smallest limit, siblings do not meet")
    void modes() {
        assertThat(acquire("\"mode\":\"shared\",\"path\":\"r\"").status()).isEqualTo(200);
        assertThat(acquire("\"mode\":\"shared\",\"path\":\"r\"").status()).isEqualTo(200);
        assertThat(acquire("\"path\":\"r\"").status()).isEqualTo(423);
        assertThat(acquire("\"path\":\"w\"").status()).isEqualTo(200);
        assertThat(acquire("").status()).as("the whole contains all").isEqualTo(423);
        assertThat(acquire("\"mode\":\"permit\",\"limit\":2,\"path\":\"p\"").status())
                .isEqualTo(200);
        assertThat(acquire("\"mode\":\"permit\",\"limit\":3,\"path\":\"p\"").status())
                .isEqualTo(200);
        assertThat(acquire("\"mode\":\"permit\",\"limit\":3,\"path\":\"p\"").status())
                .isEqualTo(423);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{\"name\":\"x\",\"lease_ms\":1000} | namespace is missing",
                "{\"namespace\":\"n\",\"lease_ms\":1000} | name is missing",
                "{\"namespace\":\"n\",\"name\":\"x\"} | lease_ms is missing",
                "{\"namespace\":\"n\",\"name\":\"x\",\"lease_ms\":99} | lease_ms must be an integer from 100 to 86400000, was 99",
                "{\"namespace\":\"n\",\"name\":\"x\",\"lease_ms\":99999999999999999999999} | lease_ms must be",
                "{\"namespace\":\"n\",\"name\":\"x\",\"lease_ms\":\"1000\"} | lease_ms must be an integer from 100 to 86400000, was a text",
                "{\"namespace\":\"n\",\"name\":\"x\",\"lease_ms\":1e3} | lease_ms must be",
                "{\"namespace\":\"a b\",\"name\":\"x\",\"lease_ms\":1000} | namespace is not allowed",
                "{\"namespace\":\"n\",\"name\":\"\",\"lease_ms\":1000} | name is not allowed",
                "{\"namespace\":\"n\",\"name\":\"a\\u0000b\",\"lease_ms\":1000} | name is not allowed",
                "{\"namespace\":\"n\",\"name\":\"a\\ud800b\",\"lease_ms\":1000} | name is not allowed",
                "{\"namespace\":\"n\",\"name\":\"x\",\"lease_ms\":1000,\"path\":\"a//b\"} | path is not allowed",
                "{\"namespace\":\"n\",\"name\":\"x\",\"lease_ms\":1000,\"mode\":\"both\"} | mode is not allowed",
                "{\"namespace\":\"n\",\"name\":\"x\",\"lease_ms\":1000,\"mode\":\"permit\"} | limit is needed",
                "{\"namespace\":\"n\",\"name\":\"x\",\"lease_ms\":1000,\"limit\":2} | limit is only for",
                "{\"namespace\":\"n\",\"name\":\"x\",\"lease_ms\":1000,\"lease_id\":\"short\"} | lease_id is not allowed",
                "{\"namespace\":\"n\",\"name\":\"x\",\"lease_ms\":1000,\"wait_ms\":60001} | wait_ms must be",
                "{\"namespace\":\"n\",\"name\":\"x\",\"lease_ms\":1000,\"metadata\":{\"k\":1}} | metadata.k must be a string",
                "{\"namespace\":\"n\",\"name\":\"x\",\"lease_ms\":1000,\"metadata\":[]} | metadata must be an object",
                "{\"namespace\":\"n\",\"name\":\"x\",\"lease_ms\":1000,\"lesae\":1} | lesae is unknown",
                "{\"namespace\":\"n\",\"name\":\"x\",\"name\":\"y\",\"lease_ms\":1000} | Duplicate",
                "{\"namespace\":\"n\",\"name\":\"x\",\"lease_ms\":1000}{} | there is more after",
                "[1,2] | must be a JSON object",
                "{\"namespace\":'n'} | not valid JSON"
            })
    @DisplayName("bad input is 400 and names the field")
    void invalid(String body, String told) {
        Answer answer = server.post("/v2/locks/acquire", body);
        assertThat(answer.status()).as(answer.body()).isEqualTo(400);
        assertThat(answer.json().get("code").text()).isEqualTo("invalid-request");
        assertThat(answer.json().get("detail").text()).contains(told);
    }

    @Test
    @DisplayName("all faults are told at once")
    void allAtOnce() {
        Answer answer = server.post("/v2/locks/acquire", "{\"namespace\":5,\"lease_ms\":1,\"mode\":\"x\",\"foo\":1}");
        assertThat(answer.json().get("errors").list()).hasSize(5);
    }

    // ---- wait

    @Test
    @DisplayName("who waits gets the lock when it is released")
    void waits() {
        Answer first = acquire("");
        CompletableFuture<Answer> waiting =
                server.postLater("/v2/locks/acquire", ask("\"lease_ms\":60000,\"wait_ms\":30000"));
        Await.until("it waits", () -> !look().json().get("waiters").list().isEmpty());
        release(first);
        Answer granted = Await.get(waiting);
        assertThat(granted.status()).isEqualTo(200);
        assertThat(granted.json().get("fencing_token").number())
                .isGreaterThan(first.json().get("fencing_token").number());
    }

    @Test
    @DisplayName("a wait that ends is 202 with its place, and the same lease id keeps it")
    void queued() {
        Answer first = acquire("\"owner\":\"holder\"");
        Answer queued = acquire("\"lease_id\":\"waiter-1\",\"wait_ms\":100");
        assertThat(queued.status()).isEqualTo(202);
        assertThat(queued.json().fields()).containsExactly("lease_id", "position", "holders");
        assertThat(queued.json().get("position").number()).isEqualTo(1);
        assertThat(queued.json().get("holders").get(0).get("owner").text()).isEqualTo("holder");
        Answer behind = acquire("\"lease_id\":\"waiter-2\",\"wait_ms\":100");
        assertThat(behind.json().get("position").number()).isEqualTo(2);
        release(first);
        assertThat(acquire("\"lease_id\":\"waiter-2\",\"wait_ms\":100").status())
                .as("nobody passes by")
                .isEqualTo(202);
        assertThat(acquire("\"lease_id\":\"waiter-1\",\"wait_ms\":100").status())
                .isEqualTo(200);
    }

    @Test
    @DisplayName("a request that does not wait is never queued, also when its lease id has a place")
    void neverQueued() {
        acquire("");
        assertThat(acquire("\"lease_id\":\"waiter-1\",\"wait_ms\":100").status())
                .isEqualTo(202);
        assertThat(acquire("\"lease_id\":\"waiter-1\"").status()).isEqualTo(423);
    }

    @Test
    @DisplayName("releasing a queued lease id leaves the queue")
    void leaveTheQueue() {
        acquire("");
        acquire("\"lease_id\":\"waiter-1\",\"wait_ms\":100");
        assertThat(look().json().get("waiters").list()).hasSize(1);
        Answer left = server.post("/v2/locks/release", leases("waiter-1", ""));
        assertThat(left.json().get("results").get(0).get("outcome").text()).isEqualTo("released");
        assertThat(look().json().get("waiters").list()).isEmpty();
    }

    // ---- renew and release

    @Test
    @DisplayName("renew tells for each lease what became of it")
    void renew() {
        Answer granted = acquire("");
        String id = granted.json().get("lease_id").text();
        Answer renewed = server.post(
                "/v2/locks/renew",
                "{\"leases\":[" + ask("\"lease_id\":\"" + id + "\",\"lease_ms\":3600000") + ","
                        + ask("\"lease_id\":\"never-was-1\"") + "]}");
        assertThat(renewed.status()).isEqualTo(200);
        Json results = renewed.json().get("results");
        assertThat(results.get(0).get("outcome").text()).isEqualTo("renewed");
        assertThat(Instant.parse(results.get(0).get("expires_at").text()))
                .isAfter(Instant.now().plus(Duration.ofMinutes(59)));
        assertThat(results.get(1).get("outcome").text()).isEqualTo("lost");
        assertThat(results.get(1).get("reason").text()).isEqualTo("unknown");
    }

    @Test
    @DisplayName("renew tells also who holds, to whoever prefers that")
    void renewWhole() {
        String id = acquire("").json().get("lease_id").text();
        String body = "{\"leases\":[" + ask("\"lease_id\":\"" + id + "\",\"lease_ms\":3600000") + "]}";
        Json plain = server.post("/v2/locks/renew", body).json().get("results").get(0);
        assertThat(plain.has("holder")).isFalse();
        Json whole = server.send(server.posting("/v2/locks/renew", body).header("Prefer", "return=representation"))
                .json()
                .get("results")
                .get(0);
        assertThat(whole.get("holder").value())
                .isEqualTo(server.get("/v2/lock?namespace=n&name=" + name.replace(" ", "%20"))
                        .json()
                        .get("holders")
                        .get(0)
                        .value());
    }

    @Test
    @DisplayName("release twice is harmless, and another's lease id changes nothing")
    void release() {
        Answer granted = acquire("");
        assertThat(server.post("/v2/locks/release", leases("somebody-else", ""))
                        .json()
                        .get("results")
                        .get(0)
                        .get("outcome")
                        .text())
                .isEqualTo("not_held");
        assertThat(look().json().get("held").truth()).isTrue();
        assertThat(release(granted).json().get("results").get(0).get("outcome").text())
                .isEqualTo("released");
        assertThat(release(granted).json().get("results").get(0).get("outcome").text())
                .isEqualTo("not_held");
    }

    // ---- look

    @Test
    @DisplayName("a lock shows holders and waiters, never lease ids; a free one is 200 too")
    void shows() {
        assertThat(look().status()).isEqualTo(200);
        assertThat(look().json().get("holders").list()).isEmpty();
        Answer granted = acquire("\"owner\":\"w\",\"metadata\":{\"git\":\"abc\"}");
        acquire("\"lease_id\":\"waiter-1\",\"wait_ms\":50,\"owner\":\"q\"");
        Answer seen = look();
        Json holder = seen.json().get("holders").get(0);
        assertThat(holder.fields())
                .contains(
                        "owner",
                        "path",
                        "mode",
                        "fencing_token",
                        "granted_at",
                        "renewed_at",
                        "expires_at",
                        "stale",
                        "metadata");
        assertThat(holder.get("metadata").get("git").text()).isEqualTo("abc");
        assertThat(seen.json().get("waiters").get(0).fields())
                .containsExactlyInAnyOrder("owner", "since", "position", "mode", "path");
        assertThat(seen.body()).doesNotContain(granted.json().get("lease_id").text(), "waiter-1");
    }

    @Test
    @DisplayName("lists are filtered and paged")
    void list() {
        String namespace = "list-" + name.replace(" ", "");
        for (int i = 0; i < 5; i++) {
            server.post(
                    "/v2/locks/acquire",
                    "{\"namespace\":\"" + namespace + "\",\"name\":\"" + (i < 3 ? "a" : "b") + i
                            + "\",\"lease_ms\":60000,\"owner\":\"o" + i + "\"}");
        }
        String all = "/v2/locks?namespace=" + namespace;
        assertThat(server.get(all).json().get("items").list()).hasSize(5);
        assertThat(server.get(all + "&prefix=a").json().get("items").list()).hasSize(3);
        assertThat(server.get(all + "&owner=o4").json().get("items").list()).hasSize(1);
        assertThat(server.get(all + "&state=held").json().get("items").list()).hasSize(5);
        assertThat(server.get(all + "&state=waiting").json().get("items").list())
                .isEmpty();
        assertThat(server.get(all + "&state=stale").json().get("items").list()).isEmpty();
        Json first = server.get(all + "&limit=2").json();
        assertThat(first.get("items").list()).hasSize(2);
        Json second = server.get(
                        all + "&limit=4&cursor=" + first.get("next_cursor").text())
                .json();
        assertThat(second.get("items").list()).hasSize(3);
        assertThat(second.get("next_cursor").isNull()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "/v2/locks?state=x",
        "/v2/locks?limit=0",
        "/v2/locks?limit=1001",
        "/v2/locks?limit=abc",
        "/v2/locks?cursor=%21",
        "/v2/locks?cursor=AAAA",
        "/v2/locks?what=1",
        "/v2/locks?limit=1&limit=2",
        "/v2/lock?namespace=n",
        "/v2/history?from=yesterday",
        "/v2/history?event=lock.eaten",
        "/v2/history?cursor=AAAA",
        "/v2/events?since=-1"
    })
    @DisplayName("bad queries are 400")
    void badQueries(String path) {
        assertThat(server.get(path).status()).isEqualTo(400);
    }

    // ---- operators

    @Test
    @DisplayName("force-unlock ends the hold that was seen, and no other")
    void force() {
        Answer granted = acquire("\"owner\":\"victim\"");
        long token = granted.json().get("fencing_token").number();
        Answer changed = server.post("/v2/locks/force-unlock", ask("\"fencing_token\":1,\"reason\":\"stuck\""));
        assertThat(changed.status()).isEqualTo(409);
        assertThat(changed.json().get("holders").get(0).get("owner").text()).isEqualTo("victim");
        assertThat(server.post("/v2/locks/force-unlock", ask("\"fencing_token\":" + token))
                        .status())
                .as("a reason is needed")
                .isEqualTo(400);
        Answer elsewhere = server.post(
                "/v2/locks/force-unlock",
                ask("\"path\":\"other\",\"fencing_token\":" + token + ",\"reason\":\"stuck\""));
        assertThat(elsewhere.status()).isEqualTo(409);
        Answer forced =
                server.post("/v2/locks/force-unlock", ask("\"fencing_token\":" + token + ",\"reason\":\"stuck\""));
        assertThat(forced.status()).isEqualTo(200);
        String id = granted.json().get("lease_id").text();
        assertThat(server.post("/v2/locks/renew", leases(id, ""))
                        .json()
                        .get("results")
                        .get(0)
                        .get("reason")
                        .text())
                .isEqualTo("forced");
        Json event = server.get("/v2/history?namespace=n&name=" + name.replace(" ", "%20") + "&event=lock.forced")
                .json()
                .get("items")
                .get(0);
        assertThat(event.get("reason").text()).isEqualTo("stuck");
        assertThat(event.get("actor").text()).isEqualTo("anonymous");
        assertThat(event.get("request_id").text()).isEqualTo(forced.header("X-Request-Id"));
    }

    @Test
    @DisplayName("fence/check knows the token of a live hold, and the latest")
    void fence() {
        Answer granted = acquire("");
        long token = granted.json().get("fencing_token").number();
        Json current = server.post("/v2/fence/check", ask("\"fencing_token\":" + token))
                .json();
        assertThat(current.get("current").truth()).isTrue();
        assertThat(current.get("latest_token").number()).isEqualTo(token);
        release(granted);
        assertThat(server.post("/v2/fence/check", ask("\"fencing_token\":" + token))
                        .json()
                        .get("current")
                        .truth())
                .isFalse();
    }

    @Test
    @DisplayName("history tells what happened, newest first, page by page")
    void history() {
        release(acquire("\"owner\":\"w\",\"metadata\":{\"run\":\"7\"}"));
        String path = "/v2/history?namespace=n&name=" + name.replace(" ", "%20");
        Json items = server.get(path).json().get("items");
        assertThat(items.get(0).get("event").text()).isEqualTo("lock.released");
        assertThat(items.get(1).get("event").text()).isEqualTo("lock.acquired");
        assertThat(items.get(1).get("metadata").get("run").text()).isEqualTo("7");
        assertThat(items.get(1).get("lock_key").text()).isEqualTo("n:" + name);
        Json first = server.get(path + "&limit=1").json();
        Json second = server.get(
                        path + "&limit=1&cursor=" + first.get("next_cursor").text())
                .json();
        assertThat(second.get("items").get(0).get("event").text()).isEqualTo("lock.acquired");
    }

    @Test
    @DisplayName(
            "history is found by what people call a lock, as status is, page by page; by name only under its own name")
    void historyByLabel() {
        server.post(
                "/v2/locks/acquire",
                "{\"namespace\":\"pods\",\"name\":\"sync\",\"lease_ms\":60000,\"owner\":\"pod-1\"}");
        release(acquire("\"owner\":\"w\",\"metadata\":{\"label\":\"sync-all\"}"));
        for (String path : List.of("/v2/history", "/api/locks/history")) {
            Json items = server.get(path + "?lockName=sync-all").json().get("items");
            assertThat(items.list().size()).isEqualTo(3);
            assertThat(items.get(0).get("lock_key").text()).isEqualTo("n:" + name);
            assertThat(items.get(2).get("lock_key").text()).isEqualTo("pods:sync");
            assertThat(items.get(2).get("locked_by").text()).isEqualTo("pod-1");
        }
        Json first = server.get("/api/locks/history?lockName=sync-all&limit=2").json();
        Json second = server.get("/api/locks/history?lockName=sync-all&limit=2&cursor="
                        + first.get("next_cursor").text())
                .json();
        assertThat(second.get("items").list().size()).isEqualTo(1);
        assertThat(server.get("/v2/history?name=sync-all")
                        .json()
                        .get("items")
                        .list()
                        .size())
                .isZero();
        assertThat(server.get("/api/locks/status?lockName=sync-all")
                        .json()
                        .get("active")
                        .get(0)
                        .get("pod_id")
                        .text())
                .isEqualTo("pod-1");
    }
}
