package dev.holdfast.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.process.JavaProcess;
import dev.holdfast.testkit.servers.PostgresServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StartupSetupTest {
    private static final int PROCESSES = 4;

    @TempDir
    Path directory;

    private final List<JavaProcess> started = new ArrayList<>();

    @AfterEach
    void end() {
        started.forEach(JavaProcess::close);
    }

    @ParameterizedTest
    @EnumSource(Databases.class)
    @DisplayName("of four processes that start at once one does the set-up, once per generation, and all know who")
    void onceForEachGeneration(Databases kind) {
        Database database = kind.fresh(directory);
        for (String generation : List.of("v42", "v43")) {
            List<JavaProcess> all = startAll(PROCESSES, database, Map.of("SETUP_STEP", "PT0.05S"), "wait", generation);

            assertThat(all).allSatisfy(one -> assertThat(one.exit()).isZero());
            assertThat(all).filteredOn(one -> one.hasSaid("did it")).hasSize(1);
            assertThat(all).filteredOn(one -> one.hasSaid("skips it")).hasSize(PROCESSES - 1);
            String who = runsOf(database, generation, "started").get(0);
            assertThat(runsOf(database, generation, "started")).hasSize(1);
            assertThat(runsOf(database, generation, "finished")).containsExactly(who);
            assertThat(all).allSatisfy(one -> one.awaitLine("policy_setup " + generation + " was completed by " + who));
            assertThat(Databases.rows(database, "select distinct generation from policy"))
                    .containsExactly(generation);
        }
    }

    @ParameterizedTest
    @EnumSource(Databases.class)
    @DisplayName("the process that does the set-up is killed in the middle, and another one does it")
    void anotherTakesOver(Databases kind) {
        Database database = kind.fresh(directory);
        JavaProcess victim = start(database, Map.of("SETUP_LEASE", "PT2S", "SETUP_STEP", "PT1H"), "wait", "v42");
        victim.awaitLine("sets up policies v42");
        JavaProcess skipper = start(database, Map.of(), "skip", "v42");
        skipper.awaitLine("starts without it, " + victim.owner() + " is still at it");
        skipper.awaitLine("policy_setup v42 is not complete");
        assertThat(skipper.exit()).isZero();

        List<JavaProcess> others = startAll(2, database, Map.of("SETUP_STEP", "PT0.01S"), "wait", "v42");
        victim.signal("KILL");

        assertThat(others).allSatisfy(one -> assertThat(one.exit()).isZero());
        assertThat(others).filteredOn(one -> one.hasSaid("did it")).hasSize(1);
        assertThat(runsOf(database, "v42", "started")).hasSize(2).contains(victim.owner());
        List<String> finished = runsOf(database, "v42", "finished");
        assertThat(finished).hasSize(1).doesNotContain(victim.owner());
        JavaProcess check = start(database, Map.of(), "check", "v42");
        check.awaitLine("policy_setup v42 was completed by " + finished.get(0));
        assertThat(check.exit()).isZero();
    }

    @Test
    @DisplayName(
            "ten processes that start at once on a server with few connections all succeed, and one does the set-up")
    void fewConnections() {
        Assumptions.assumeTrue(
                System.getProperty("os.name").equals("Linux")
                        && System.getProperty("os.arch").equals("amd64"),
                "the PostgreSQL server of these tests is for Linux on amd64");
        try (PostgresServer server =
                PostgresServer.builder().quick().with("max_connections", "20").start()) {
            Database database = new Database(server.freshSchema());
            List<JavaProcess> all = startAll(10, database, Map.of("SETUP_STEP", "PT0.2S"), "wait", "v42");

            assertThat(all).allSatisfy(one -> assertThat(one.exit()).isZero());
            assertThat(all).filteredOn(one -> one.hasSaid("did it")).hasSize(1);
            assertThat(runsOf(database, "v42", "started")).hasSize(1);
        }
    }

    private static List<String> runsOf(Database database, String generation, String event) {
        return Databases.rows(
                database,
                "select pod from policy_log where generation = '" + generation + "' and event = '" + event + "'");
    }

    private List<JavaProcess> startAll(int count, Database database, Map<String, String> environment, String... args) {
        List<JavaProcess> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(start(database, environment, args));
        }
        return all;
    }

    private JavaProcess start(Database database, Map<String, String> environment, String... args) {
        Map<String, String> full = new HashMap<>(environment);
        full.put("DATABASE_URL", database.url());
        JavaProcess program = Pod.start(StartupSetup.class, "pod-" + started.size(), full, args);
        started.add(program);
        return program;
    }
}
