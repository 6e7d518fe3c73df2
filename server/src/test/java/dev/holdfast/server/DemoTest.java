package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.demo.DemoTraffic;
import dev.holdfast.testkit.Await;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class DemoTest {
    @Test
    @DisplayName(
            "after a few seconds there are holders, waiters and a history, in namespaces of its own; closed, it lets go")
    void traffic() {
        try (TestServer server = TestServer.onMemory()) {
            try (DemoTraffic demo = server.server.startDemo()) {
                Await.until(
                        "several kinds of events",
                        () -> values(server, "/v2/history?limit=1000", "event")
                                .containsAll(Set.of("lock.acquired", "lock.queued", "lock.released")));
                Await.until("somebody holds and somebody waits", () -> {
                    List<Json> locks = locks(server);
                    return count(locks, "holders") > 2 && count(locks, "waiters") > 0;
                });
                assertThat(values(server, "/v2/locks", "namespace"))
                        .isNotEmpty()
                        .allMatch(name -> name.equals("deploy") || name.startsWith("demo-"));
                assertThat(server.get("/metrics").body())
                        .containsPattern("lock_acquire_duration_seconds_count\\{[^}]*granted[^}]*} [1-9]");
                assertThat(demo).isNotNull();
            }
            // Those who died, and the one who forgot, hold on; everybody else has let go.
            Await.until("nobody waits", () -> server.server.engine().waitingCallers() == 0);
            Await.until(
                    "only the dead and the forgetful hold",
                    () -> Set.of("demo-sync").containsAll(values(server, "/v2/locks?state=held", "namespace")));
        }
    }

    @Test
    @DisplayName("a store that others may use is refused, without its password")
    void refused() {
        assertThat(DemoTraffic.refusal("memory:")).isEmpty();
        assertThat(DemoTraffic.refusal("sqlite:/data/holdfast.db?mode=exclusive"))
                .isEmpty();
        assertThat(DemoTraffic.refusal("postgresql://a:secret@db/x"))
                .hasValueSatisfying(reason ->
                        assertThat(reason).contains("server.demo", "@db/x").doesNotContain("secret"));
    }

    private static List<Json> locks(TestServer server) {
        return server.get("/v2/locks").json().get("items").list();
    }

    private static int count(List<Json> locks, String of) {
        return locks.stream().mapToInt(lock -> lock.get(of).list().size()).sum();
    }

    private static Set<String> values(TestServer server, String path, String field) {
        Set<String> found = new HashSet<>();
        server.get(path)
                .json()
                .get("items")
                .list()
                .forEach(item -> found.add(item.get(field).text()));
        return found;
    }
}
