package dev.holdfast.server;

import static dev.holdfast.server.StateClient.info;
import static dev.holdfast.server.StateClient.state;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.TestServer.Answer;
import dev.holdfast.state.terraform.ForcePolicy;
import dev.holdfast.state.terraform.LockHabits;
import dev.holdfast.state.versions.StateConfig;
import dev.holdfast.testkit.Await;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Every answer of the table in the API's description; terraform itself is asked in {@code TerraformTest}. */
@DisplayName("/state")
class StateRoutesTest {
    private static final String A = "aaaaaaaa-0000-4000-8000-000000000001";
    private static final String B = "bbbbbbbb-0000-4000-8000-000000000002";

    private static final LockHabits HASTY = new LockHabits(Duration.ofHours(1), Duration.ofMillis(50), ForcePolicy.ANY);

    private static TestServer server;
    private static int stacks;
    private StateClient stack;

    @BeforeAll
    static void start() {
        server = new Setup()
                .state(new ServerOptions.State(
                        Optional.empty(), StateConfig.DEFAULT.withMaxSize(100_000), HASTY, 10_000))
                .start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void fresh() {
        stack = StateClient.of(server, "s" + ++stacks);
    }

    private static String code(Answer answer) {
        return answer.json().get("code").text();
    }

    @Nested
    @DisplayName("the document")
    class Document {
        @Test
        @DisplayName("comes with what is known of it, as do answers to saves and restores; all as the history has it")
        void known() {
            stack.lock(A);
            Json first = stack.save(A, state(3).replace("lineage\":\"", "lineage\":\"\u00e4\ud83d\ude00"))
                    .json();
            stack.unlock(A);
            Json listed = stack.history().get(0);
            assertThat(first.value()).isEqualTo(listed.value());
            Answer loaded = stack.load();
            assertThat(loaded.header("Holdfast-Version")).isPrintable().matches("[ -~]+");
            assertThat(Json.of(loaded.header("Holdfast-Version")).value()).isEqualTo(listed.value());
            String name = first.get("version").text();
            Answer version = stack.send("GET", "/versions/" + name, "");
            assertThat(version.header("Holdfast-Version")).isEqualTo(loaded.header("Holdfast-Version"));
            Json restored = stack.send("POST", "/restore", "{\"version\":\"" + name + "\"}")
                    .json();
            assertThat(restored.get("from").value()).isEqualTo(listed.value());
            assertThat(restored.get("by").text())
                    .isEqualTo(stack.history().get(0).get("by").text());
        }

        @Test
        @DisplayName("comes without it where that would be too long for a header")
        void tooLong() {
            stack.lock(A);
            stack.save(A, state(3).replace("lineage\":\"", "lineage\":\"" + "x".repeat(10_000)));
            assertThat(stack.load().status()).isEqualTo(200);
        }

        @Test
        @DisplayName("that is refused because it is locked says who holds it")
        void lockedBy() {
            stack.save(A, state(1));
            stack.lock(A);
            for (Answer refused : List.of(stack.send("POST", "", state(2)), stack.send("DELETE", "", ""))) {
                Json holder = refused.json().get("holders").list().get(0);
                assertThat(holder.get("fencing_token").number())
                        .isEqualTo(stack.look().get("latest_token").number());
            }
        }

        @Test
        @DisplayName("is 404 before the first save, also while the lock for it is held")
        void none() {
            assertThat(stack.load().status()).isEqualTo(404);
            assertThat(stack.lock(A).status()).isEqualTo(200);
            assertThat(stack.load().status()).isEqualTo(404);
        }

        @Test
        @DisplayName("comes back byte for byte, with its version as ETag")
        void faithful() {
            stack.lock(A);
            Answer saved = stack.save(A, state(1) + "  \n");
            assertThat(saved.status()).isEqualTo(200);
            Answer loaded = stack.load();
            assertThat(loaded.body()).isEqualTo(state(1) + "  \n");
            assertThat(loaded.header("ETag"))
                    .isEqualTo("\"" + saved.json().get("version").text() + "\"");
            assertThat(loaded.header("Content-Type")).isEqualTo("application/json");
        }

        @Test
        @DisplayName("an identical repeat makes no second version")
        void repeat() {
            stack.lock(A);
            Answer first = stack.save(A, state(1));
            Answer second = stack.send("PUT", "?ID=" + A, state(1));
            assertThat(second.status()).isEqualTo(200);
            assertThat(second.json().get("version").text())
                    .isEqualTo(first.json().get("version").text());
            assertThat(stack.history()).hasSize(1);
        }

        @Test
        @DisplayName("is refused with 409 for every ID but the one that holds now, and each refusal is recorded")
        void otherIds() {
            assertThat(stack.save(A, state(1)).status()).isEqualTo(409); // unknown
            stack.lock(A);
            stack.save(A, state(1));
            Answer other = stack.save(B, state(2));
            assertThat(other.status()).isEqualTo(409);
            assertThat(code(other)).isEqualTo("state-refused");
            assertThat(other.json().get("reason").text()).isEqualTo("not-held");
            assertThat(other.json().get("lock").get("ID").text()).isEqualTo(A);
            stack.unlock(A);
            assertThat(stack.save(A, state(2)).status()).isEqualTo(409); // released
            assertThat(stack.save("no", state(2)).status()).isEqualTo(409); // no ID of any lock
            assertThat(stack.load().body()).isEqualTo(state(1));
            Await.until(
                    "four refusals are recorded",
                    () -> stack.events("state.refused").size() == 4);
            assertThat(stack.events("state.refused"))
                    .allSatisfy(event -> assertThat(
                                    event.get("metadata").get("reason").text())
                            .isEqualTo("not-held"));
        }

        @Test
        @DisplayName("without an ID is saved only when nothing is locked")
        void withoutId() {
            assertThat(stack.send("POST", "", state(1)).status()).isEqualTo(200);
            stack.lock(A);
            Answer refused = stack.send("POST", "", state(2));
            assertThat(refused.status()).isEqualTo(409);
            assertThat(refused.json().get("reason").text()).isEqualTo("locked");
            assertThat(refused.json().get("lock").get("ID").text()).isEqualTo(A);
            assertThat(stack.load().body()).isEqualTo(state(1));
        }

        @Test
        @DisplayName("must fit its Content-MD5, where it has one")
        void md5() throws Exception {
            stack.lock(A);
            byte[] body = state(1).getBytes(StandardCharsets.UTF_8);
            String right = Base64.getEncoder()
                    .encodeToString(MessageDigest.getInstance("MD5").digest(body));
            String wrong = Base64.getEncoder().encodeToString(new byte[16]);
            for (String bad : List.of(wrong, "not base64!")) {
                Answer answer =
                        server.send(stack.request("POST", "?ID=" + A, body).header("Content-MD5", bad));
                assertThat(answer.status()).as(bad).isEqualTo(400);
            }
            assertThat(server.send(stack.request("POST", "?ID=" + A, body).header("Content-MD5", right))
                            .status())
                    .isEqualTo(200);
        }

        @Test
        @DisplayName("must be JSON, and not larger than allowed")
        void bad() {
            stack.lock(A);
            for (String body : List.of("{\"serial\":1", "not json", "", "{} {}")) {
                Answer answer = stack.save(A, body);
                assertThat(answer.status()).as(body).isEqualTo(400);
                assertThat(code(answer)).isEqualTo("invalid-state");
            }
            assertThat(stack.save(A, "\"" + "x".repeat(200_000) + "\"").status())
                    .isEqualTo(413);
            assertThat(stack.load().status()).isEqualTo(404);
        }

        @Test
        @DisplayName("names that cannot be are 400, and so are parameters nobody knows")
        void names() {
            for (String path : List.of("/state/.hidden/prod", "/state/a%2Fb/prod", "/state/a:b/prod", "/state/a/%20")) {
                assertThat(server.get(path).status()).as(path).isEqualTo(400);
            }
            assertThat(stack.send("GET", "?id=1", "").status()).isEqualTo(400);
        }

        @Test
        @DisplayName("is deleted when it is free or with the holder's ID, else 423; its history stays")
        void delete() {
            stack.lock(A);
            stack.save(A, state(1));
            for (String other : List.of("", "?ID=" + B)) {
                Answer refused = stack.send("DELETE", other, "");
                assertThat(refused.status()).as(other).isEqualTo(423);
                assertThat(refused.json().get("lock").get("ID").text()).isEqualTo(A);
            }
            assertThat(stack.send("DELETE", "?ID=" + A, "").status()).isEqualTo(200);
            assertThat(stack.load().status()).isEqualTo(404);
            assertThat(stack.history()).hasSize(1);
            stack.unlock(A);
            assertThat(stack.send("DELETE", "", "").status()).isEqualTo(200);
            assertThat(stack.send("DELETE", "?ID=" + A, "").status())
                    .as("its lock is over, and the stack is free")
                    .isEqualTo(200);
        }

        @Test
        @DisplayName(
                "is not deleted by an ID that lost the lock by force, nor by one nobody knows, though the stack is free")
        void deleteByLostId() {
            stack.lock(A);
            stack.save(A, state(1));
            stack.forceUnlock();
            for (String lost : List.of(A, B)) {
                Answer refused = stack.send("DELETE", "?ID=" + lost, "");
                assertThat(refused.status()).as(lost).isEqualTo(409);
                assertThat(refused.json().get("reason").text()).isEqualTo("not-held");
                assertThat(stack.save(lost, state(2)).status()).isEqualTo(409);
            }
            assertThat(stack.load().body()).isEqualTo(state(1));
        }
    }

    @Nested
    @DisplayName("a part of the stack")
    class Part {
        private void take(String path, String lease) {
            String name = "stack:" + stack.path().split("/", -1)[2] + ":env:prod";
            server.post(
                    "/v2/locks/acquire",
                    "{\"namespace\":\"deploy\",\"name\":\"" + name + "\",\"path\":\"" + path
                            + "\",\"owner\":\"o\",\"lease_id\":\"" + lease + "\",\"lease_ms\":60000}");
            assertThat(stack.lock(lease).status()).as("claimed").isEqualTo(200);
        }

        @Test
        @DisplayName(
                "is saved by who holds it with the version it changes: 428 without one, 409 if another was saved since")
        void save() {
            take("users", A);
            take("orders/api", B);
            assertThat(stack.save(A, state(1)).status()).isEqualTo(428);
            assertThat(save(A, "If-None-Match", "*", 1).status()).isEqualTo(200);
            assertThat(save(B, "If-None-Match", "*", 2).json().get("reason").text())
                    .isEqualTo("conflict");
            String etag = stack.load().header("ETag");
            assertThat(save(B, "If-Match", etag, 2).status()).isEqualTo(200);
            assertThat(save(A, "If-Match", etag, 3).status()).isEqualTo(409);
            assertThat(save(A, "If-Match", stack.load().header("ETag"), 3).status())
                    .isEqualTo(200);
            assertThat(save(A, "If-Match", "no-quotes", 4).status()).isEqualTo(400);
            assertThat(stack.load().body()).isEqualTo(state(3));
        }

        private Answer save(String id, String header, String value, int serial) {
            return stack.client()
                    .send(stack.request("POST", "?ID=" + id, state(serial).getBytes(StandardCharsets.UTF_8))
                            .header(header, value));
        }
    }

    @Nested
    @DisplayName("the lock")
    class Lock {
        @Test
        @DisplayName("is granted again to the ID that holds it; others get the holder's LockInfo as it was sent")
        void locked() {
            assertThat(stack.lock(A).status()).isEqualTo(200);
            assertThat(stack.lock(A).status()).isEqualTo(200);
            Answer busy = stack.lock(B);
            assertThat(busy.status()).isEqualTo(423);
            assertThat(busy.body()).isEqualTo(info(A));
        }

        @Test
        @DisplayName("gives back a LockInfo of any spelling and of any length as it was sent")
        void faithful() {
            String spaced = "{ \"Who\": \"<b>ü & \\u2028\", \"ID\":\"" + A + "\", \"Extra\": [1, {\"x\": null}] }";
            String huge = "{\"ID\":\"" + A + "\",\"Info\":\"" + "long ".repeat(10_000) + "\",\"Who\":\"me\"}";
            String broken = "{\"ID\":\"" + A + "\",\"Info\":\"\\ud800\\u0000\",\"Who\":\"\\u0007\\ud800\"}";
            for (String sent : List.of(spaced, huge, broken, "{\"ID\":\"" + A + "\"}")) {
                fresh();
                assertThat(stack.send("LOCK", "", sent).status()).as(sent).isEqualTo(200);
                assertThat(stack.lock(B).body()).isEqualTo(sent);
            }
        }

        @Test
        @DisplayName("needs a LockInfo with an ID that can be one")
        void bad() {
            for (String body :
                    List.of("", "{}", "[]", "nonsense", "{\"ID\":\"short\"}", "{\"ID\":\"with.a.dot.in.it\"}")) {
                assertThat(stack.send("LOCK", "", body).status()).as(body).isEqualTo(400);
            }
            assertThat(stack.send("LOCK", "", "{\"ID\":\"" + "x".repeat(70_000) + "\"}")
                            .status())
                    .isEqualTo(413);
        }

        @Test
        @DisplayName("cannot be taken again by an ID that ended")
        void ended() {
            stack.lock(A);
            stack.unlock(A);
            Answer again = stack.lock(A);
            assertThat(again.status()).isEqualTo(409);
            assertThat(code(again)).isEqualTo("lease-lost");
            assertThat(again.json().get("reason").text()).isEqualTo("released");
            assertThat(again.json().get("ID").text()).isEqualTo(A);
        }

        @Test
        @DisplayName("is released by its ID, also twice and with nothing but the ID; not by another")
        void unlock() {
            stack.lock(A);
            Answer other = stack.unlock(B);
            assertThat(other.status()).isEqualTo(409);
            assertThat(code(other)).isEqualTo("not-locked");
            assertThat(other.json().get("lock").get("ID").text()).isEqualTo(A);
            assertThat(stack.send("UNLOCK", "", "{\"ID\":\"" + A + "\"}").status())
                    .isEqualTo(200);
            assertThat(stack.unlock(A).status()).isEqualTo(200);
            assertThat(stack.unlock(B).status()).isEqualTo(409);
            assertThat(stack.lock(B).status()).isEqualTo(200);
            assertThat(stack.unlock(A).status()).as("late").isEqualTo(200);
            assertThat(stack.look().get("held").truth()).isTrue();
        }

        @Test
        @DisplayName("is ended by force without an ID: audited, and who held it is fenced for ever")
        void forced() {
            assertThat(stack.forceUnlock().status()).as("free").isEqualTo(200);
            stack.lock(A);
            assertThat(stack.forceUnlock().status()).isEqualTo(200);
            assertThat(stack.save(A, state(1)).status()).isEqualTo(409);
            assertThat(stack.unlock(A).status()).isEqualTo(409);
            assertThat(stack.lock(A).status()).isEqualTo(409);
            assertThat(stack.lock(B).status()).isEqualTo(200);
            assertThat(stack.save(A, state(1)).status()).isEqualTo(409);
            assertThat(stack.save(B, state(1)).status()).isEqualTo(200);
            List<Json> forced = stack.events("lock.forced");
            assertThat(forced).hasSize(1);
            assertThat(forced.get(0).get("reason").text()).isEqualTo("terraform force-unlock");
            assertThat(forced.get(0).get("actor").text()).isEqualTo("anonymous");
            assertThat(forced.get(0).get("locked_by").text()).isEqualTo("ci@" + A);
        }

        @Test
        @DisplayName("the spelling of GitLab does the same")
        void gitlab() {
            assertThat(stack.send("POST", "/lock", info(A)).status()).isEqualTo(200);
            assertThat(stack.send("PUT", "/lock", info(A)).status()).isEqualTo(200);
            Answer busy = stack.send("PUT", "/lock", info(B));
            assertThat(busy.status()).isEqualTo(423);
            assertThat(busy.body()).isEqualTo(info(A));
            assertThat(stack.send("DELETE", "/lock", info(B)).status()).isEqualTo(409);
            assertThat(stack.send("DELETE", "/lock", info(A)).status()).isEqualTo(200);
            stack.send("POST", "/lock", info(B));
            assertThat(stack.send("DELETE", "/lock?ID=" + B, "").status())
                    .as("where a proxy drops the body")
                    .isEqualTo(200);
            assertThat(stack.look().get("held").truth()).isFalse();
        }

        @Test
        @DisplayName("held by another kind of client is told with a LockInfo made for it")
        void other() {
            String name = "stack:" + stack.path().split("/", -1)[2] + ":env:prod";
            server.post(
                    "/v2/locks/acquire",
                    "{\"namespace\":\"deploy\",\"name\":\"" + name
                            + "\",\"path\":\"api\",\"owner\":\"deployer\",\"lease_id\":\"some-lease\",\"lease_ms\":60000,"
                            + "\"reason\":\"api 4.2\"}");
            Answer busy = stack.lock(A);
            assertThat(busy.status()).isEqualTo(423);
            assertThat(busy.json().get("Who").text()).isEqualTo("deployer");
            assertThat(busy.json().get("ID").text()).startsWith("token-");
            assertThat(busy.body()).contains("api 4.2").doesNotContain("some-lease");
            assertThat(stack.forceUnlock().status()).isEqualTo(200);
            assertThat(stack.lock(A).status()).isEqualTo(200);
        }

        @Test
        @DisplayName("counts as a deployment lock in the metrics")
        void metrics() {
            stack.lock(A);
            stack.lock(B);
            stack.save(A, state(1));
            stack.unlock(A);
            String name = stack.path().split("/", -1)[2];
            Await.until(
                    "the end is counted",
                    () -> metric("holdfast_deployer_lock_held_duration_seconds_count", name) == 1);
            assertThat(metric("holdfast_deployer_lock_acquisition_success_total", name))
                    .isEqualTo(1);
            assertThat(metric("holdfast_deployer_lock_acquisition_failure_total", name))
                    .isEqualTo(1);
            assertThat(metric("holdfast_deployer_lock_heartbeat_success_total", name))
                    .isEqualTo(1);
        }

        private double metric(String metric, String name) {
            return server.get("/metrics")
                    .body()
                    .lines()
                    .filter(line -> line.startsWith(metric + "{") && line.contains("Stack=\"" + name + "\""))
                    .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                    .sum();
        }
    }

    @Nested
    @DisplayName("force-unlock by policy")
    class Policy {
        @Test
        @DisplayName("deny ends none")
        void deny() {
            try (TestServer strict = with(ForcePolicy.DENY)) {
                StateClient here = StateClient.of(strict, "net");
                assertThat(here.forceUnlock().status()).as("free").isEqualTo(200);
                here.lock(A);
                Answer refused = here.forceUnlock();
                assertThat(refused.status()).isEqualTo(403);
                assertThat(code(refused)).isEqualTo("force-unlock-denied");
                assertThat(here.save(A, state(1)).status()).isEqualTo(200);
            }
        }

        @Test
        @DisplayName("stale-only ends those that look stale")
        void staleOnly() {
            try (TestServer strict = with(ForcePolicy.STALE_ONLY)) {
                StateClient here = StateClient.of(strict, "net");
                here.lock(A);
                Answer refused = here.forceUnlock();
                assertThat(refused.status()).isEqualTo(409);
                assertThat(code(refused)).isEqualTo("not-stale");
                Await.until("it looks stale", () -> here.forceUnlock().status() == 200);
                assertThat(here.lock(B).status()).isEqualTo(200);
            }
        }

        private TestServer with(ForcePolicy policy) {
            return new Setup()
                    .staleAfter(Duration.ofMillis(10))
                    .state(new ServerOptions.State(
                            Optional.empty(),
                            StateConfig.DEFAULT,
                            new LockHabits(Duration.ofSeconds(2), HASTY.lockWait(), policy),
                            10_000))
                    .start();
        }
    }

    @Nested
    @DisplayName("versions")
    class Versions {
        private String first;

        @BeforeEach
        void two() {
            stack.lock(A);
            first = stack.save(A, state(3)).json().get("version").text();
            stack.save(A, state(4).replace("\"outputs\":{}", "\"outputs\":{\"o\":{\"value\":1,\"type\":\"number\"}}"));
        }

        @Test
        @DisplayName("are listed newest first, a page at a time, with who saved them under which lock")
        void history() throws Exception {
            List<Json> all = stack.history();
            assertThat(all).extracting(it -> it.get("serial").number()).containsExactly(4L, 3L);
            Json oldest = all.get(1);
            assertThat(oldest.get("version").text()).isEqualTo(first);
            assertThat(oldest.get("by").text()).isEqualTo("ci@" + A);
            assertThat(oldest.get("operation").text()).isEqualTo("OperationTypeApply");
            assertThat(oldest.get("lock_id").text()).isEqualTo(A);
            assertThat(oldest.get("size").number()).isEqualTo(state(3).length());
            assertThat(oldest.get("fencing_token").number()).isPositive();
            Answer page = stack.send("GET", "/history?limit=1", "");
            assertThat(page.json().get("items").list()).hasSize(1);
            String next = page.json().get("next_cursor").text();
            Answer rest = stack.send("GET", "/history?limit=1&cursor=" + next, "");
            assertThat(rest.json().get("items").list().get(0).get("version").text())
                    .isEqualTo(first);
            assertThat(stack.send("GET", "/history?cursor=nonsense", "").status())
                    .isEqualTo(400);
        }

        @Test
        @DisplayName("can be read one by one; an unknown one is 404")
        void one() {
            assertThat(stack.send("GET", "/versions/" + first, "").body()).isEqualTo(state(3));
            for (String unknown : List.of("20200101T000000.000000Z-aaaaaaaa", "nonsense")) {
                assertThat(stack.send("GET", "/versions/" + unknown, "").status())
                        .as(unknown)
                        .isEqualTo(404);
            }
        }

        @Test
        @DisplayName("are restored as a new version above all others, when nothing is locked")
        void restore() {
            Answer locked = stack.send("POST", "/restore", "{\"version\":\"" + first + "\"}");
            assertThat(locked.status()).isEqualTo(423);
            assertThat(locked.json().get("lock").get("ID").text()).isEqualTo(A);
            stack.unlock(A);
            Answer done = stack.send("POST", "/restore", "{\"version\":\"" + first + "\"}");
            assertThat(done.status()).isEqualTo(200);
            assertThat(done.json().get("serial").number()).isEqualTo(5);
            assertThat(stack.load().body()).isEqualTo(state(5));
            assertThat(stack.history()).hasSize(3);
            assertThat(stack.send("POST", "/restore", "{\"version\":\"nonsense\"}")
                            .status())
                    .isEqualTo(404);
            assertThat(stack.send("POST", "/restore", "{\"timestamp\":\"2020-01-01T00:00:00Z\"}")
                            .status())
                    .isEqualTo(404);
            assertThat(stack.send("POST", "/restore", "{\"timestamp\":\"2120-01-01T00:00:00Z\"}")
                            .json()
                            .get("serial")
                            .number())
                    .isEqualTo(6);
            for (String body : List.of("{}", "{\"timestamp\":\"yesterday\"}", "{\"version\":1}")) {
                assertThat(stack.send("POST", "/restore", body).status())
                        .as(body)
                        .isEqualTo(400);
            }
        }

        @Test
        @DisplayName("are restored over the version that was seen, and not over one that somebody saved meanwhile")
        void restoreOver() {
            String body = "{\"version\":\"" + first + "\",\"reason\":\"the new database is too small\"}";
            String seen =
                    stack.send("GET", "/history", "").json().get("current").text();
            assertThat(seen).isEqualTo(stack.history().get(0).get("version").text());
            stack.save(A, state(7));
            stack.unlock(A);
            Answer late = conditional(body, "If-Match", "\"" + seen + "\"");
            assertThat(late.status()).isEqualTo(409);
            assertThat(late.json().get("code").text()).isEqualTo("state-refused");
            assertThat(late.json().get("reason").text()).isEqualTo("conflict");
            assertThat(late.json().get("detail").text()).contains(seen, "check again what would change");
            assertThat(stack.load().body()).isEqualTo(state(7));
            assertThat(conditional(body, "If-None-Match", "*").status()).isEqualTo(409);

            String now = stack.history().get(0).get("version").text();
            assertThat(conditional(body, "If-Match", "\"" + now + "\"").status())
                    .isEqualTo(200);
            Json made = stack.history().get(0);
            assertThat(made.get("serial").number()).isEqualTo(8);
            assertThat(made.get("operation").text()).isEqualTo("restore: the new database is too small");

            assertThat(conditional(body, "If-Match", "no quotes").status()).isEqualTo(400);
            assertThat(conditional("{\"timestamp\":\"2120-01-01\"}", "If-Match", "\"" + now + "\"")
                            .status())
                    .isEqualTo(400);
            String tooLong = body.replace("the new database is too small", "x".repeat(201));
            assertThat(conditional(tooLong, "If-Match", "\"" + now + "\"").status())
                    .isEqualTo(400);
        }

        private Answer conditional(String body, String header, String value) {
            return stack.client()
                    .send(stack.request("POST", "/restore", body.getBytes(StandardCharsets.UTF_8))
                            .header(header, value));
        }

        @Test
        @DisplayName("have no current one once the state is deleted")
        void deleted() {
            stack.unlock(A);
            assertThat(stack.send("DELETE", "", "").status()).isEqualTo(200);
            Json page = stack.send("GET", "/history", "").json();
            assertThat(page.get("current").isNull()).isTrue();
            assertThat(page.get("items").list()).hasSize(2);
            assertThat(conditional("{\"version\":\"" + first + "\"}", "If-None-Match", "*")
                            .status())
                    .isEqualTo(200);
        }

        @Test
        @DisplayName("are compared in numbers alone, if that is asked for")
        void summary() {
            Json diff = stack.send("GET", "/diff?summary=true", "").json();
            assertThat(diff.get("summary").get("added").number()).isEqualTo(1);
            assertThat(diff.get("summary").get("changed").number()).isZero();
            assertThat(diff.get("summary").get("others").number()).isEqualTo(1);
            assertThat(stack.send("GET", "/diff?summary=true", "").body()).doesNotContain("changes", "output.o");
            assertThat(stack.send("GET", "/diff?summary=maybe", "").status()).isEqualTo(400);
        }

        @Test
        @DisplayName("are restored by the time they are shown with, and by a day or minute alone")
        void restoreAsShown() {
            stack.unlock(A);
            String saved = stack.history().get(1).get("saved_at").text();
            assertThat(saved).matches("[0-9-]+T[0-9:]+\\.[0-9]{6}Z");
            Answer shown = stack.send("POST", "/restore", "{\"timestamp\":\"" + saved + "\"}");
            assertThat(shown.json().get("serial").number()).isEqualTo(5);
            assertThat(stack.load().body()).isEqualTo(state(5));
            for (String time :
                    List.of("2120-01-01", "2120-01-01T10:30", "2120-01-01T10:30:12", "2120-01-01T10:30:12.5+01:00")) {
                assertThat(stack.send("POST", "/restore", "{\"timestamp\":\"" + time + "\"}")
                                .status())
                        .as(time)
                        .isEqualTo(200);
            }
            Answer none = stack.send("POST", "/restore", "{\"timestamp\":\"16.11.2026\"}");
            assertThat(none.status()).isEqualTo(400);
            assertThat(none.body()).contains("2026-11-16T11:05");
        }

        @Test
        @DisplayName("are kept as backups, verified and compared")
        void others() {
            assertThat(stack.send("POST", "/backup", "").json().get("serial").number())
                    .isEqualTo(4);
            Json found = stack.send("POST", "/verify", "").json();
            assertThat(found.get("good").truth()).isTrue();
            assertThat(found.get("checked").number()).isEqualTo(3);
            Json diff = stack.send("GET", "/diff", "").json();
            assertThat(diff.get("from").text()).isEqualTo(first);
            assertThat(diff.get("changes").list())
                    .extracting(it ->
                            it.get("address").text() + " " + it.get("kind").text())
                    .contains("output.o added");
            assertThat(stack.send("GET", "/diff?from=" + first + "&to=" + first, "")
                            .json()
                            .get("changes")
                            .list())
                    .isEmpty();
            assertThat(stack.send("GET", "/diff?from=nonsense", "").status()).isEqualTo(404);
        }

        @Test
        @DisplayName("of a stack without state there are none")
        void none() {
            StateClient empty = StateClient.of(server, "empty");
            assertThat(empty.send("POST", "/backup", "").status()).isEqualTo(404);
            assertThat(empty.send("GET", "/diff", "").status()).isEqualTo(404);
            assertThat(empty.history()).isEmpty();
        }

        @Test
        @DisplayName("all stacks are listed, with who holds their locks")
        void list() {
            Json mine = server.get("/state?limit=1000").json().get("items").list().stream()
                    .filter(it ->
                            stack.path().equals("/state/" + it.get("stack").text() + "/prod"))
                    .findFirst()
                    .orElseThrow();
            assertThat(mine.get("serial").number()).isEqualTo(4);
            assertThat(mine.get("locked").truth()).isTrue();
            assertThat(mine.get("lock").get("ID").text()).isEqualTo(A);
            assertThat(mine.get("lock").get("Who").text()).isEqualTo("ci@" + A);
            assertThat(mine.get("lock").get("stale").truth()).isFalse();
            Json page = server.get("/state?limit=1").json();
            assertThat(page.get("items").list()).hasSizeLessThanOrEqualTo(1);
        }
    }
}
