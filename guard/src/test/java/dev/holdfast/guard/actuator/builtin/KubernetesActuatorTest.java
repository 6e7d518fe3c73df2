package dev.holdfast.guard.actuator.builtin;

import static dev.holdfast.guard.actuator.Acts.done;
import static dev.holdfast.guard.actuator.Acts.dry;
import static dev.holdfast.guard.actuator.Acts.failure;
import static dev.holdfast.guard.actuator.Acts.target;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.guard.ResourceState;
import dev.holdfast.guard.actuator.ActResult;
import dev.holdfast.guard.actuator.Acts;
import dev.holdfast.guard.actuator.Actuator;
import dev.holdfast.guard.actuator.FakeEndpoint;
import dev.holdfast.guard.actuator.FakeEndpoint.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The Kubernetes actuator")
final class KubernetesActuatorTest {
    private static final String TOKEN = "holdfast.dev/fencing-token";
    private static final String BEFORE = "holdfast.dev/replicas-before";

    @TempDir
    Path directory;

    private Path account;
    private FakeKubernetes cluster;
    private Actuator actuator;

    @BeforeEach
    void open() throws IOException {
        cluster = new FakeKubernetes();
        account = Files.writeString(directory.resolve("token"), "account-token\n");
        actuator = actuator(Map.of());
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private Actuator actuator(Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(Map.of(
                "type", "kubernetes",
                "api_server", cluster.endpoint.url() + "/",
                "token_file", account.toString(),
                "namespace", "data",
                "kind", "StatefulSet",
                "name", "orders-db",
                "poll", "5ms"));
        settings.putAll(more);
        return Acts.actuator(settings);
    }

    private List<String> methods() {
        return cluster.endpoint.asked.stream().map(FakeEndpoint.Asked::method).toList();
    }

    @Test
    @DisplayName("scales to nothing and back to what it was, in one patch each")
    void stopAndStart() {
        assertThat(done(actuator.stop(target("db1", 7))).now()).isEqualTo(ResourceState.STOPPED);
        assertThat(cluster.replicas).isZero();
        assertThat(cluster.annotations).containsEntry(TOKEN, "7").containsEntry(BEFORE, "3");

        assertThat(done(actuator.start(target("db1", 8))).now()).isEqualTo(ResourceState.RUNNING);
        assertThat(cluster.replicas).isEqualTo(3);
        assertThat(cluster.annotations)
                .containsEntry(TOKEN, "8")
                .containsEntry("other/thing", "stays")
                .doesNotContainKey(BEFORE);
        assertThat(methods()).filteredOn("PATCH"::equals).hasSize(2);
    }

    @Test
    @DisplayName("does not forget what it was when it is stopped twice")
    void stoppedTwice() {
        done(actuator.stop(target("db1", 7)));
        done(actuator.stop(target("db1", 7)));
        done(actuator.stop(target("db1", 8)));
        assertThat(cluster.annotations).containsEntry(TOKEN, "8").containsEntry(BEFORE, "3");
        done(actuator.start(target("db1", 9)));
        assertThat(cluster.replicas).isEqualTo(3);
    }

    @Test
    @DisplayName("starts what somebody else stopped with the number configured, and leaves a running one as it is")
    void startOfUnknownSize() {
        cluster.replicas = 0;
        cluster.actual = 0;
        done(actuator(Map.of("replicas", "2")).start(target("db1", 7)));
        assertThat(cluster.replicas).isEqualTo(2);

        cluster.replicas = 5;
        cluster.actual = 5;
        done(actuator.start(target("db1", 8)));
        assertThat(cluster.replicas).isEqualTo(5);
        assertThat(cluster.annotations).containsEntry(TOKEN, "8");
    }

    @Test
    @DisplayName("refuses an older token, and the start of a running one is enough to have it refused")
    void stale() {
        done(actuator.start(target("db1", 8)));
        assertThat(actuator.stop(target("db1", 7))).isEqualTo(new ActResult.Stale(8));
        assertThat(cluster.replicas).isEqualTo(3);
    }

    @Test
    @DisplayName("judges again when the object changes between its look and its patch, and gives way to a newer token")
    void overtaken() {
        cluster.meddler = () -> {
            cluster.meddler = () -> {};
            cluster.annotations.put(TOKEN, "8");
            cluster.version++;
        };
        assertThat(actuator.stop(target("db1", 7))).isEqualTo(new ActResult.Stale(8));
        assertThat(cluster.replicas).isEqualTo(3);
        assertThat(methods()).containsExactly("GET", "PATCH", "GET");
    }

    @Test
    @DisplayName("gets through when others change the object, and remembers what they made of it")
    void conflicts() {
        cluster.meddler = () -> {
            if (cluster.replicas < 5) {
                cluster.replicas++;
                cluster.actual++;
                cluster.version++;
            }
        };
        assertThat(done(actuator.stop(target("db1", 7))).now()).isEqualTo(ResourceState.STOPPED);
        assertThat(cluster.annotations).containsEntry(BEFORE, "5");
    }

    @Test
    @DisplayName("gives up when others never cease to change the object")
    void endlessConflicts() {
        cluster.meddler = () -> cluster.version++;
        assertThat(failure(actuator.stop(target("db1", 7))))
                .contains("changed by others")
                .contains("nothing was done");
        assertThat(cluster.replicas).isEqualTo(3);
    }

    @Test
    @DisplayName("reads again when it is not known whether the patch was applied")
    void lostAnswer() {
        cluster.patches.addAll(List.of(new Answer(0, ""), new Answer(503, ""), new Answer(429, "")));
        assertThat(done(actuator.stop(target("db1", 7))).now()).isEqualTo(ResourceState.STOPPED);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"403,Role with get and patch", "422,refused to patch"})
    @DisplayName("tells what the API server refused and what to do")
    void refused(int code, String next) {
        cluster.patches.add(FakeKubernetes.status(code, "statefulsets is forbidden"));
        assertThat(failure(actuator.stop(target("db1", 7))))
                .contains("HTTP " + code)
                .contains(next)
                .contains("statefulsets is forbidden")
                .doesNotContain("account-token");
    }

    @Test
    @DisplayName("tells that there is no such workload, or that its token is not accepted")
    void notFound() throws Exception {
        assertThat(failure(actuator(Map.of("name", "other")).stop(target("db1", 7))))
                .contains("there is no statefulset 'other' in namespace 'data'");
        Files.writeString(account, "outdated");
        assertThat(failure(actuator.stop(target("db1", 7)))).contains("does not accept");
        assertThat(actuator.state(target("db1", 7))).isEqualTo(ResourceState.UNKNOWN);
        Files.writeString(account, "account-token"); // replaced while the server runs, as Kubernetes does
        assertThat(actuator.state(target("db1", 7))).isEqualTo(ResourceState.RUNNING);
    }

    @Test
    @DisplayName("takes the workload from the target, and lets no name lead elsewhere")
    void whichWorkload() {
        var named = Map.of("name", "orders-db", "namespace", "data", "kind", "statefulset");
        assertThat(done(actuator(Map.of("name", "other")).stop(Acts.with(target("db1", 7), named)))
                        .now())
                .isEqualTo(ResourceState.STOPPED);

        int before = cluster.endpoint.asked.size();
        for (String key : List.of("namespace", "name", "kind")) {
            var evil = Acts.with(target("db1", 8), Map.of(key, "../../secrets/x"));
            assertThat(failure(actuator.stop(evil))).contains("'" + key + "'");
        }
        assertThat(cluster.endpoint.asked).hasSize(before);
    }

    @Test
    @DisplayName("changes nothing in a dry run")
    void dryRun() {
        assertThat(done(actuator.stop(dry("db1", 7))).now()).isEqualTo(ResourceState.RUNNING);
        assertThat(methods()).containsExactly("GET");
    }

    @Test
    @DisplayName("says that a stop goes on, and sees what is on its way")
    void goesOn() {
        cluster.looksPerChange = 1_000_000;
        assertThat(done(actuator(Map.of("settle", "50ms")).stop(target("db1", 7)))
                        .now())
                .isEqualTo(ResourceState.STOPPING);
        assertThat(actuator.state(target("db1", 7))).isEqualTo(ResourceState.STOPPING);
        cluster.actual = 0;
        assertThat(actuator.state(target("db1", 7))).isEqualTo(ResourceState.STOPPED);
        cluster.replicas = 1;
        assertThat(actuator.state(target("db1", 7))).isEqualTo(ResourceState.STARTING);
    }

    @Test
    @DisplayName("refuses to act on an annotation that holds no token")
    void strangeAnnotation() {
        cluster.annotations.put(TOKEN, "-1");
        assertThat(failure(actuator.stop(target("db1", 7)))).contains("'-1', not a number");
    }

    @Test
    @DisplayName("ends at the time limit when the API server is silent")
    void silent() {
        cluster.patches.add(new Answer(-1, ""));
        long began = System.nanoTime();
        assertThat(failure(actuator.stop(target("db1", 7, Duration.ofSeconds(1)))))
                .contains("not known");
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(12));
    }
}
