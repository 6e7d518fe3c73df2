package dev.holdfast.cli.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.SmallApp;
import dev.holdfast.testkit.process.ServerProcess;
import dev.holdfast.wire.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Real servers, real apps and a real PostgreSQL: what is promised about shared databases, as somebody from outside sees it. */
@DisplayName("The guard, with real processes,")
@EnabledOnOs(
        value = OS.LINUX,
        architectures = "amd64",
        disabledReason = "the PostgreSQL of these tests is for Linux on amd64")
final class GuardProcessesTest {
    @TempDir
    private static Path shared;

    private static GuardedDatabase database;
    private static SmallApp a;
    private static SmallApp b;
    private static SmallApp c;

    @TempDir
    private Path directory;

    @BeforeAll
    static void start() throws Exception {
        database = GuardedDatabase.start(shared);
        a = SmallApp.up("a");
        b = SmallApp.up("b");
        c = SmallApp.up("c");
    }

    @AfterAll
    static void end() {
        for (SmallApp app : new SmallApp[] {a, b, c}) {
            app.close();
        }
        database.close();
    }

    private static String postgres() {
        return "{\"type\":\"postgres\",\"host\":\"" + database.host() + "\"}";
    }

    /** All apps run and are registered with the database. */
    private void all(Guarding guard) throws Exception {
        for (SmallApp app : new SmallApp[] {a, b, c}) {
            app.down();
            app.up();
            guard.register(app, postgres());
        }
        assertThat(database.serves()).isTrue();
    }

    @Test
    @DisplayName("stops a database when the last of three apps was stopped, and starts it before one starts")
    void oneAfterTheOther() throws Exception {
        try (Guarding guard = new Guarding(directory, database)) {
            all(guard);
            int before = database.stops();
            a.down();
            assertThat(Guarding.word(guard.stop(a))).startsWith("skipped");
            b.down();
            Json second = guard.stop(b);
            assertThat(Guarding.word(second)).startsWith("skipped");
            assertThat(second.at("reason").plain()).contains("c (");
            assertThat(database.serves()).isTrue();
            assertThat(database.stops()).isEqualTo(before);

            c.down();
            guard.stop(c);
            guard.until("PostgreSQL is stopped", database::isClosed);

            assertThat(Guarding.word(guard.start(b))).isEqualTo("started");
            assertThat(database.serves()).isTrue();
            b.up();

            sameMoment(guard);
            blackHole(guard);
        }
    }

    /** A and C stop at once, each while the other still answers; nobody asks again. */
    private void sameMoment(Guarding guard) throws Exception {
        a.up();
        c.up();
        assertThat(Guarding.word(guard.start(a))).isEqualTo("started");
        assertThat(Guarding.word(guard.start(c))).isEqualTo("started");
        b.down();
        guard.stop(b);
        CompletableFuture<HttpResponse<String>> one = Guarding.later(guard.server(), a, "stop");
        CompletableFuture<HttpResponse<String>> other = Guarding.later(guard.server(), c, "stop");
        assertThat(Guarding.word(Guarding.decision(one.get(2, TimeUnit.MINUTES))))
                .isNotEqualTo("stopped");
        assertThat(Guarding.word(Guarding.decision(other.get(2, TimeUnit.MINUTES))))
                .isNotEqualTo("stopped");
        assertThat(database.serves()).isTrue();
        a.down();
        c.down();
        guard.until("PostgreSQL is stopped", database::isClosed);
    }

    private void blackHole(Guarding guard) throws Exception {
        assertThat(Guarding.word(guard.start(a))).isEqualTo("started");
        int before = database.stops();
        try (SmallApp hole = SmallApp.blackHole("hole")) {
            guard.register(hole, postgres());
            Json decision = guard.stop(a);
            assertThat(Guarding.word(decision)).isEqualTo("skipped_unknown");
            assertThat(decision.at("reason").plain()).contains("hole");
            assertThat(database.serves()).isTrue();
            assertThat(database.stops()).isEqualTo(before);
            guard.forget(hole);
            guard.until("PostgreSQL is stopped", database::isClosed);
        }
        assertThat(Guarding.word(guard.start(a))).isEqualTo("started");
    }

    @Test
    @DisplayName("never takes the database from an app that was told it may start")
    void startDuringStop() throws Exception {
        try (Guarding guard = new Guarding(directory, database)) {
            all(guard);
            for (SmallApp app : new SmallApp[] {a, b, c}) {
                app.down();
            }
            guard.stop(b);
            guard.stop(c);
            database.hold();
            CompletableFuture<HttpResponse<String>> stop = Guarding.later(guard.server(), a, "stop");
            int before = database.stops();
            guard.until("the stop is under way", () -> stops() > before);
            CompletableFuture<HttpResponse<String>> start = Guarding.later(guard.server(), b, "start");
            database.release();
            Guarding.decision(stop.get(2, TimeUnit.MINUTES));
            Guarding.decision(start.get(2, TimeUnit.MINUTES));
            guard.until("PostgreSQL serves again", database::serves);

            for (int round = 0; round < 5; round++) {
                guard.stop(b);
                guard.stop(c);
                CompletableFuture<HttpResponse<String>> stopping = Guarding.later(guard.server(), a, "stop");
                CompletableFuture<HttpResponse<String>> starting = Guarding.later(guard.server(), c, "start");
                Json told = Guarding.decision(starting.get(2, TimeUnit.MINUTES));
                if (Guarding.word(told).equals("started")) {
                    assertThat(database.serves()).as("round " + round).isTrue();
                }
                Guarding.decision(stopping.get(2, TimeUnit.MINUTES));
                guard.until("PostgreSQL serves", database::serves);
                TimeUnit.MILLISECONDS.sleep(
                        500); // a late stop would come now; if it comes later still, the next round sees it
                assertThat(database.serves()).as("round " + round).isTrue();
            }
        }
    }

    private static int stops() {
        try {
            return database.stops();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    @DisplayName("ends right when its server is killed at each step of a stop and of a start")
    void killed() throws Exception {
        try (Guarding guard = new Guarding(directory, database)) {
            all(guard);
            guard.stop(a);
            guard.stop(b);
            assertThat(Guarding.word(guard.stop(c))).isNotEqualTo("stopped");
            guard.server().signal("KILL"); // all wish to stop and still run
            for (SmallApp app : new SmallApp[] {a, b, c}) {
                app.down();
            }
            guard.again();
            guard.until("PostgreSQL is stopped", database::isClosed);
            guard.until("that is stored", () -> isIn(guard, "stopped"));

            for (String step : new String[] {"before-start", "after-start"}) {
                database.crash(step);
                CompletableFuture<HttpResponse<String>> lostStart = Guarding.later(guard.server(), a, "start");
                guard.until("the server is killed " + step, () -> !database.willCrash(step));
                guard.again();
                guard.until("the caller has heard that", lostStart::isDone);
                guard.until("PostgreSQL serves again", database::serves);
                guard.until("that is stored", () -> isIn(guard, "running"));
                String stop = step.replace("start", "stop");
                database.crash(stop);
                CompletableFuture<HttpResponse<String>> lostStop = Guarding.later(guard.server(), a, "stop");
                guard.until("the server is killed " + stop, () -> !database.willCrash(stop));
                guard.again();
                guard.until("the caller has heard that", lostStop::isDone);
                guard.until("PostgreSQL is stopped", database::isClosed);
                guard.until("that is stored", () -> isIn(guard, "stopped"));
            }
            assertThat(Guarding.word(guard.start(a))).isEqualTo("started");
            assertThat(database.serves()).isTrue();
        }
    }

    private static boolean isIn(Guarding guard, String state) {
        try {
            return guard.state().equals(state);
        } catch (IOException | InterruptedException e) {
            return false;
        }
    }

    @Test
    @DisplayName("stops a machine with two databases only when the apps of both are down")
    void twoOnOneMachine() throws Exception {
        try (Guarding guard = new Guarding(directory, database)) {
            a.down();
            a.up();
            b.down();
            b.up();
            guard.register(
                    a, "{\"type\":\"postgres\",\"host\":\"" + database.host() + "\",\"instance_id\":\"i-0abc\"}");
            guard.register(b, "{\"type\":\"neo4j\",\"host\":\"127.0.0.1\",\"instance_id\":\"i-0abc\"}");
            a.down();
            Json first = guard.stop(a);
            assertThat(Guarding.word(first)).startsWith("skipped");
            assertThat(first.at("db_identifier").plain()).isEqualTo("i-0abc");
            assertThat(database.serves()).isTrue();
            assertThat(database.secondRuns()).isTrue();
            b.down();
            guard.stop(b);
            guard.until("PostgreSQL is stopped", database::isClosed);
            guard.until("the second service is stopped", () -> !database.secondRuns());
            assertThat(Guarding.word(guard.start(b))).isEqualTo("started");
            assertThat(database.serves()).isTrue();
            assertThat(database.secondRuns()).isTrue();
        }
    }

    @Test
    @DisplayName("goes on with another replica when the one that was asked is killed")
    void replicas() throws Exception {
        String store = "--store=sqlite:" + Files.createDirectories(directory.resolve("data")) + "/locks.db?mode=shared";
        try (Guarding guard = new Guarding(directory, database, store);
                ServerProcess other = guard.another()) {
            all(guard);
            CompletableFuture<HttpResponse<String>> one = Guarding.later(guard.server(), a, "stop");
            CompletableFuture<HttpResponse<String>> two = Guarding.later(other, b, "stop");
            Guarding.decision(one.get(2, TimeUnit.MINUTES));
            Guarding.decision(two.get(2, TimeUnit.MINUTES));
            guard.stop(c);
            guard.server().signal("KILL");
            for (SmallApp app : new SmallApp[] {a, b, c}) {
                app.down();
            }
            guard.until("PostgreSQL is stopped", database::isClosed);
            Json started = Guarding.decision(Guarding.later(other, c, "start").get(2, TimeUnit.MINUTES));
            assertThat(Guarding.word(started)).isEqualTo("started");
            assertThat(database.serves()).isTrue();
        }
    }
}
