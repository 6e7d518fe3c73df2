package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.Await;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class DemoTest {
    private static TestServer demo() {
        return new TestServer(DemoServer.start(TestServer.OPEN.inMemory()));
    }

    @Test
    @DisplayName(
            "there are holders of all kinds, waiters, and holds that have been stale for long, in several namespaces")
    void locks() {
        try (TestServer server = demo()) {
            Await.until("somebody holds and somebody waits", () -> {
                List<Json> locks = items(server, "/v2/locks");
                return count(locks, "holders") > 5 && count(locks, "waiters") > 1;
            });
            List<Json> locks = items(server, "/v2/locks");
            assertThat(texts(locks, "namespace")).contains("billing", "catalog", "deploy", "payments");
            assertThat(locks.stream()
                            .flatMap(lock -> lock.get("holders").list().stream())
                            .map(holder -> holder.get("mode").text())
                            .collect(Collectors.toSet()))
                    .contains("exclusive", "permit");
            assertThat(texts(items(server, "/v2/locks?state=stale"), "name"))
                    .containsExactly("schema-migration", "stack:network:env:prod");
            assertThat(server.get("/metrics").body())
                    .containsPattern("holdfast_lock_acquire_duration_seconds_count\\{[^}]*granted[^}]*} [1-9]");
        }
    }

    @Test
    @DisplayName("its history goes back an hour, in the order in which things happened, with ends of several kinds")
    void history() {
        Instant started = Instant.now();
        try (TestServer server = demo()) {
            List<Json> events = items(server, "/v2/history?limit=1000");
            assertThat(events).hasSizeGreaterThan(300);
            assertThat(texts(events, "event"))
                    .contains("lock.acquired", "lock.released", "lock.queued", "lock.expired", "lock.forced");
            List<Instant> times = events.stream()
                    .map(event -> Instant.parse(event.get("timestamp").text()))
                    .toList();
            assertThat(times.get(times.size() - 1))
                    .isBetween(
                            Instant.now().minus(Duration.ofMinutes(62)),
                            Instant.now().minus(Duration.ofMinutes(55)));
            // What happens now happens to many locks at once: those are in order each, not among each other.
            assertThat(times.stream().filter(time -> time.isBefore(started)))
                    .isSortedAccordingTo((one, other) -> other.compareTo(one));
        }
    }

    @Test
    @DisplayName(
            "four stacks have state in three environments, with versions that differ; one is locked by terraform, and looks"
                    + " abandoned, another by a deployment")
    void state() {
        try (TestServer server = demo()) {
            List<Json> stacks = items(server, "/state");
            assertThat(texts(stacks, "stack")).containsExactly("network", "payments", "search", "shop");
            assertThat(texts(stacks, "environment")).containsExactly("dev", "prod", "staging");
            assertThat(stacks).hasSize(8);
            assertThat(stacks.get(0).get("lock").get("Operation").text()).isEqualTo("OperationTypeApply");
            assertThat(stacks.get(0).get("lock").get("stale").truth()).isTrue();
            Await.until(
                    "a deployment",
                    () -> items(server, "/state").get(2).get("locked").truth());
            List<Json> versions = items(server, "/state/shop/prod/history");
            assertThat(versions).hasSizeGreaterThan(2);
            String diff = server.get("/state/shop/prod/diff?from="
                            + versions.get(1).get("version").text() + "&to="
                            + versions.get(0).get("version").text())
                    .body();
            assertThat(diff)
                    .contains(
                            "aws_db_instance", "db.r6g.xlarge", "\"added\":1,\"changed\":", "\"removed\":1", "(secret)")
                    .doesNotContain("made-up-");
            assertThat(server.post("/state/shop/prod/verify", "").status()).isEqualTo(200);
        }
    }

    @Test
    @DisplayName("the guard has apps that share databases, and has decided about some of them, with evidence")
    void guard() {
        try (TestServer server = demo()) {
            Await.until(
                    "decisions", () -> server.get("/api/guard/resources").body().contains("\"decision\":\"stopped\""));
            String resources = server.get("/api/guard/resources").body();
            assertThat(resources).contains("skipped_shared_active", "evidence", "\"crm\"", "\"http_code\":200");
            assertThat(server.get("/api/guard/apps").body()).contains("checkout", "reports", "blog");
            Await.until("a database that waits for time, one in doubt, and one that cannot be stopped", () -> {
                String all = server.get("/api/guard/resources").body();
                return all.contains("\"standing\":\"failing\"")
                        && all.contains("\"standing\":\"doubtful\"")
                        && all.contains("\"failed\":true");
            });
        }
    }

    @Test
    @DisplayName("it starts the same every time, and ends at once")
    void sameAgain() {
        Set<String> first = new TreeSet<>();
        for (int round = 0; round < 2; round++) {
            try (TestServer server = demo()) {
                Set<String> names =
                        texts(items(server, "/v2/history?to=" + Instant.now().minusSeconds(15)), "locked_by");
                if (round == 0) {
                    first.addAll(names);
                } else {
                    assertThat(names).isEqualTo(first);
                }
            }
        }
    }

    private static List<Json> items(TestServer server, String path) {
        return server.get(path).json().get("items").list();
    }

    private static int count(List<Json> locks, String of) {
        return locks.stream().mapToInt(lock -> lock.get(of).list().size()).sum();
    }

    private static Set<String> texts(List<Json> items, String field) {
        return items.stream().map(item -> item.get(field).text()).collect(Collectors.toCollection(TreeSet::new));
    }
}
