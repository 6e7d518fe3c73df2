package dev.holdfast.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.Await;
import dev.holdfast.testkit.process.JavaProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PodSyncTest {
    private static final int PODS = 3;
    private static final Map<String, String> LONG = Map.of("SYNC_TAKES", "PT1H", "SYNC_EVERY", "PT0.2S");

    @TempDir
    Path directory;

    private final List<JavaProcess> started = new ArrayList<>();

    @AfterEach
    void end() {
        started.forEach(JavaProcess::close);
    }

    @ParameterizedTest
    @EnumSource(Databases.class)
    @DisplayName(
            "cron fires on three pods and one works; it is killed and another takes over when the lease has expired")
    void theDeadAreReplaced(Databases kind) {
        Database database = kind.fresh(directory);
        Map<String, String> shortLease = new HashMap<>(LONG);
        shortLease.put("SYNC_ALL_LEASE", "PT2S");
        List<JavaProcess> pods = startPods(database, shortLease);

        JavaProcess first = theWorker(pods);
        List<JavaProcess> others = without(pods, first);
        assertThat(others)
                .allSatisfy(pod -> pod.awaitLine("sync-all already running on " + first.owner()))
                .noneMatch(pod -> pod.hasSaid("started on"));
        assertThat(held(database)).containsExactly("sync-all " + first.owner());
        awaitRenewal(database);

        first.signal("KILL");

        JavaProcess second = theWorker(others);
        without(others, second).forEach(pod -> pod.awaitLine("sync-all already running on " + second.owner()));
        assertThat(held(database)).containsExactly("sync-all " + second.owner());
    }

    @ParameterizedTest
    @EnumSource(Databases.class)
    @DisplayName("a pod that is told to end stops its work and releases the lock, long before the lease would expire")
    void theEndingRelease(Databases kind) {
        Database database = kind.fresh(directory);
        List<JavaProcess> pods = startPods(database, LONG);
        JavaProcess first = theWorker(pods);

        first.signal("TERM");

        assertThat(first.exit()).isEqualTo(128 + 15);
        first.awaitLine("sync-all stopped on " + first.owner());
        first.awaitLine(first.owner() + " ends");
        JavaProcess second = theWorker(without(pods, first));
        assertThat(held(database)).containsExactly("sync-all " + second.owner());
    }

    @ParameterizedTest
    @EnumSource(Databases.class)
    @DisplayName("two projects run side by side; all projects and one exclude each other; the changelog is beside them")
    void partsExcludeTheWhole(Databases kind) {
        Database database = kind.fresh(directory);
        JavaProcess web = start(database, LONG, "project", "web");
        JavaProcess shop = start(database, LONG, "project", "shop");
        JavaProcess changelog = start(database, LONG, "changelog");
        web.awaitLine("sync-project-web started on " + web.owner());
        shop.awaitLine("sync-project-shop started on " + shop.owner());
        changelog.awaitLine("changelog-sync started on " + changelog.owner());
        assertThat(held(database))
                .containsExactlyInAnyOrder(
                        "sync-project-web " + web.owner(),
                        "sync-project-shop " + shop.owner(),
                        "changelog-sync " + changelog.owner());

        JavaProcess again = start(database, LONG, "project", "web");
        again.awaitLine("sync-project-web already running on " + web.owner());
        assertThat(again.exit()).isZero();
        shop.signal("TERM");
        shop.exit();
        JavaProcess all = start(database, LONG, "all");
        all.awaitLine("sync-project-web already running on " + web.owner());
        assertThat(all.exit()).isZero();

        web.signal("TERM");
        web.exit();
        all = start(database, LONG, "all");
        all.awaitLine("sync-all started on " + all.owner());
        JavaProcess blocked = start(database, LONG, "project", "web");
        blocked.awaitLine("sync-all already running on " + all.owner());
        assertThat(blocked.exit()).isZero();
    }

    /** The one pod that has started to work. */
    private static JavaProcess theWorker(List<JavaProcess> pods) {
        Await.until("one of " + pods + " works", () -> pods.stream().anyMatch(PodSyncTest::works));
        List<JavaProcess> working = pods.stream().filter(PodSyncTest::works).toList();
        assertThat(working).hasSize(1);
        return working.get(0);
    }

    private static boolean works(JavaProcess pod) {
        return pod.hasSaid("sync-all started on " + pod.owner());
    }

    private static List<JavaProcess> without(List<JavaProcess> pods, JavaProcess one) {
        return pods.stream().filter(pod -> pod != one).toList();
    }

    /** What any SQL client sees. */
    private static List<String> held(Database database) {
        return Databases.rows(database, "select lock_name, pod_id from distributed_locks");
    }

    private static void awaitRenewal(Database database) {
        String sql = "select lock_name from distributed_locks where renewed_at > acquired_at";
        Await.until(
                "the lease was renewed", () -> !Databases.rows(database, sql).isEmpty());
    }

    private List<JavaProcess> startPods(Database database, Map<String, String> environment) {
        List<JavaProcess> pods = new ArrayList<>();
        for (int i = 0; i < PODS; i++) {
            pods.add(start(database, environment));
        }
        return pods;
    }

    private JavaProcess start(Database database, Map<String, String> environment, String... args) {
        Map<String, String> full = new HashMap<>(environment);
        full.put("DATABASE_URL", database.url());
        JavaProcess program = Pod.start(PodSync.class, "pod-" + started.size(), full, args);
        started.add(program);
        return program;
    }
}
