package dev.holdfast.guard.actuator.builtin;

import static dev.holdfast.guard.actuator.Acts.PLENTY;
import static dev.holdfast.guard.actuator.Acts.done;
import static dev.holdfast.guard.actuator.Acts.dry;
import static dev.holdfast.guard.actuator.Acts.failure;
import static dev.holdfast.guard.actuator.Acts.target;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.guard.ResourceState;
import dev.holdfast.guard.actuator.ActResult;
import dev.holdfast.guard.actuator.ActTarget;
import dev.holdfast.guard.actuator.Acts;
import dev.holdfast.guard.actuator.Actuator;
import dev.holdfast.guard.actuator.Actuators;
import dev.holdfast.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The command actuator")
final class CommandActuatorTest {
    @TempDir
    Path directory;

    private Path state;

    @BeforeEach
    void running() throws IOException {
        state = Files.writeString(directory.resolve("state"), "running\n");
    }

    private String program(String name, String script) throws IOException {
        Path file = directory.resolve(name);
        Files.writeString(file, "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
        return file.toString();
    }

    private Actuator actuator(String stop, String status, Map<String, String> more) throws IOException {
        Map<String, String> settings = new HashMap<>(Map.of(
                "type",
                "command",
                "stop",
                program("stop", stop) + " {db_identifier} --token={token} {reason}",
                "start",
                program("start", "echo running >" + state),
                "status",
                program("status", status),
                "poll",
                "5ms",
                "settle",
                "100ms"));
        settings.putAll(more);
        return Acts.actuator(settings);
    }

    private Actuator actuator(String stop) throws IOException {
        return actuator(stop, "cat " + state, Map.of());
    }

    private String stopping() {
        return "echo stopped >" + state;
    }

    @Test
    @DisplayName("runs the program with its arguments and the token, and reads back what came of it")
    void stopAndStart() throws Exception {
        Path seen = directory.resolve("seen");
        Actuator actuator = actuator("printf '%s\\n' \"$@\" >" + seen + "; env >>" + seen + "; " + stopping());
        ActTarget target = new ActTarget(
                "db1:5432", List.of("postgres"), 42, "$(touch x); `id` \"quoted\" && more", false, PLENTY, Map.of());

        assertThat(done(actuator.stop(target)).now()).isEqualTo(ResourceState.STOPPED);
        assertThat(Files.readAllLines(seen))
                .startsWith("db1:5432", "--token=42", "$(touch x); `id` \"quoted\" && more")
                .contains(
                        "HOLDFAST_FENCING_TOKEN=42",
                        "HOLDFAST_DB_IDENTIFIER=db1:5432",
                        "HOLDFAST_DB_TYPES=postgres",
                        "HOLDFAST_ACTION=stop");
        assertThat(done(actuator.start(target("db1:5432", 43))).now()).isEqualTo(ResourceState.RUNNING);
    }

    @Test
    @DisplayName("gives the program nothing of the server's environment but what was named")
    void environment() throws Exception {
        Path seen = directory.resolve("seen");
        Actuator actuator = Actuators.of(
                        Map.of(
                                "it",
                                Map.of(
                                        "type", "command",
                                        "stop", program("stop", "env >" + seen + "; " + stopping()),
                                        "start", "true",
                                        "status", program("status", "cat " + state),
                                        "pass_env", "PGDATA, MISSING",
                                        "env.MODE", "fast")),
                        Map.of("PATH", System.getenv("PATH"), "DB_PASSWORD", "secret", "PGDATA", "/data"))
                .find("it")
                .orElseThrow();
        done(actuator.stop(target("db1", 1)));

        assertThat(Files.readString(seen)).contains("PGDATA=/data", "MODE=fast").doesNotContain("DB_PASSWORD", "HOME=");
    }

    @Test
    @DisplayName("runs the program also when it is so already, so that the program learns the token")
    void alreadySo() throws Exception {
        // The program's own fence: it keeps the highest token, and refuses lower ones.
        Path fence = Files.writeString(directory.resolve("fence"), "0");
        String fenced = "n=$(cat " + fence + "); if [ \"$HOLDFAST_FENCING_TOKEN\" -lt \"$n\" ]; then"
                + " echo newer_token=$n; exit 3; fi; printf %s \"$HOLDFAST_FENCING_TOKEN\" >" + fence + "; ";
        String start = program("fenced-start", fenced + "echo running >" + state);
        // Two processes, that know nothing of each other: only the program sees both.
        Actuator older = actuator(fenced + stopping(), "cat " + state, Map.of("start", start));
        Actuator newer = actuator(fenced + stopping(), "cat " + state, Map.of("start", start));

        assertThat(done(newer.start(target("db1", 6))).now()).isEqualTo(ResourceState.RUNNING);
        assertThat(Files.readString(fence)).isEqualTo("6");
        assertThat(older.stop(target("db1", 5))).isEqualTo(new ActResult.Stale(6));
        assertThat(Files.readString(state)).startsWith("running");

        assertThat(done(older.stop(target("db1", 7))).now()).isEqualTo(ResourceState.STOPPED);
        assertThat(done(older.stop(target("db1", 8))).now()).isEqualTo(ResourceState.STOPPED);
        assertThat(newer.start(target("db1", 7))).isEqualTo(new ActResult.Stale(8));
        assertThat(Files.readString(state)).startsWith("stopped");
    }

    @Test
    @DisplayName("is content with a program that calls it an error to stop what is stopped")
    void alreadySoIsAnError() throws Exception {
        Files.writeString(state, "stopped");
        ActResult.Done done =
                done(actuator("echo no server running >&2; exit 1").stop(target("db1", 1)));
        assertThat(done.now()).isEqualTo(ResourceState.STOPPED);
        assertThat(done.detail()).contains("already").contains("exit code 1").contains("no server running");

        // It was stopped before, but the program started it, and says it failed.
        assertThat(failure(actuator("echo running >" + state + "; exit 1").stop(target("db1", 2))))
                .contains("exit code 1");
    }

    @ParameterizedTest(name = "with a directory: {0}")
    @ValueSource(booleans = {true, false})
    @DisplayName("gives way to a newer token that came while it was looking")
    void overtakenWhileLooking(boolean shared) throws Exception {
        Path looking = directory.resolve("looking");
        Path goOn = directory.resolve("go-on");
        // The status program of the older caller takes until the newer one is done.
        String slowly = "if [ \"$HOLDFAST_FENCING_TOKEN\" = 5 ]; then touch " + looking + "; while [ ! -e " + goOn
                + " ]; do sleep 0.02; done; fi; cat " + state;
        Map<String, String> tokens =
                shared ? Map.of("token_dir", directory.resolve("tokens").toString()) : Map.of();
        Actuator older = actuator(stopping(), slowly, tokens);
        Actuator newer = shared ? actuator(stopping(), slowly, tokens) : older;

        CompletableFuture<ActResult> late = CompletableFuture.supplyAsync(() -> older.stop(target("db1", 5)));
        Await.until("the older one looks", () -> Files.exists(looking));
        assertThat(done(newer.start(target("db1", 6))).now()).isEqualTo(ResourceState.RUNNING);
        Files.createFile(goOn);

        assertThat(late.get(PLENTY.toSeconds(), TimeUnit.SECONDS)).isEqualTo(new ActResult.Stale(6));
        assertThat(Files.readString(state)).startsWith("running");
    }

    @Test
    @DisplayName("in a dry run only asks for the state")
    void dryRun() throws Exception {
        ActResult.Done done = done(actuator(stopping()).stop(dry("db1", 1)));
        assertThat(done.now()).isEqualTo(ResourceState.RUNNING);
        assertThat(done.detail()).startsWith("dry run");
        assertThat(Files.readString(state)).startsWith("running");
    }

    @Test
    @DisplayName("refuses an older token than it has seen for the same resource")
    void stale() throws Exception {
        Actuator actuator = actuator(stopping());
        done(actuator.start(target("db1", 8)));
        assertThat(actuator.stop(target("db1", 7))).isEqualTo(new ActResult.Stale(8));
        assertThat(actuator.stop(dry("db1", 7))).isEqualTo(new ActResult.Stale(8));
        assertThat(Files.readString(state)).startsWith("running");
        done(actuator.stop(target("db2", 1)));
    }

    @Test
    @DisplayName("with a directory for tokens refuses an older one after a restart, too")
    void staleAfterRestart() throws Exception {
        Map<String, String> tokens =
                Map.of("token_dir", directory.resolve("tokens").toString());
        done(actuator(stopping(), "cat " + state, tokens).start(target("db1", 100)));

        Actuator restarted = actuator(stopping(), "cat " + state, tokens);
        assertThat(restarted.stop(target("db1", 99))).isEqualTo(new ActResult.Stale(100));
        assertThat(done(restarted.stop(target("db1", 100))).now()).isEqualTo(ResourceState.STOPPED);
        assertThat(done(restarted.start(target("db1", 101))).now()).isEqualTo(ResourceState.RUNNING);
    }

    @Test
    @DisplayName("does nothing when the directory for tokens holds something else")
    void damagedToken() throws Exception {
        Path tokens = Files.createDirectory(directory.resolve("tokens"));
        Files.writeString(tokens.resolve(target("db1", 7).key() + ".token"), "nonsense");
        Actuator actuator = actuator(stopping(), "cat " + state, Map.of("token_dir", tokens.toString()));
        assertThat(failure(actuator.stop(target("db1", 1)))).contains("does not hold a token");
        assertThat(Files.readString(state)).startsWith("running");
    }

    @Test
    @DisplayName("believes a program that refuses the token")
    void programRefuses() throws Exception {
        assertThat(actuator("echo newer_token=77 >&2; exit 3").stop(target("db1", 7)))
                .isEqualTo(new ActResult.Stale(77));
        assertThat(failure(actuator("exit 3").stop(target("db1", 7)))).contains("exit code 3");
    }

    @Test
    @DisplayName("tells a program's exit code and what it wrote last")
    void nonZero() throws Exception {
        assertThat(failure(actuator("echo 'the disk is on fire' >&2; exit 17").stop(target("db1", 7))))
                .contains("exit code 17")
                .contains("the disk is on fire");
    }

    @Test
    @DisplayName("does not believe a program that says it stopped what still runs")
    void doesNotStop() throws Exception {
        assertThat(failure(actuator("exit 0").stop(target("db1", 7)))).contains("reads back as running");
    }

    @Test
    @DisplayName("tells when there is no such program")
    void noProgram() throws Exception {
        Actuator actuator = actuator("exit 0", "cat " + state, Map.of("stop", "/no/such/program"));
        assertThat(failure(actuator.stop(target("db1", 7))))
                .contains("/no/such/program")
                .contains("cannot be run");
    }

    @Test
    @DisplayName("kills all a program started when the time is over, even what has left the family")
    void timeLimit() throws Exception {
        Path pids = directory.resolve("pids");
        // A child, and a grandchild whose parent is gone, in its own session.
        Actuator actuator = actuator("sleep 600 & echo $! >>" + pids + "\n"
                + "(setsid sh -c 'echo $$ >>" + pids + "; exec sleep 600' &)\n"
                + "while [ $(wc -l <" + pids + ") -lt 2 ]; do sleep 0.05; done\n"
                + "touch " + directory.resolve("ready") + "\nsleep 600");
        String what = failure(actuator.stop(target("db1", 7, Duration.ofSeconds(4))));

        assertThat(what)
                .contains("did not end within the time limit of 4000 ms")
                .contains("killed");
        assertThat(directory.resolve("ready")).exists();
        for (String pid : Files.readAllLines(pids)) {
            Await.until(
                    "process " + pid + " is gone",
                    () -> ProcessHandle.of(Long.parseLong(pid))
                            .filter(ProcessHandle::isAlive)
                            .isEmpty());
        }
    }

    @Test
    @DisplayName("does not wait for what a program leaves running, nor kills it")
    void leavesRunning() throws Exception {
        Path pid = directory.resolve("pid");
        Actuator actuator = actuator("sleep 600 & echo $! >" + pid + "; " + stopping());
        assertThat(done(actuator.stop(target("db1", 7))).now()).isEqualTo(ResourceState.STOPPED);

        ProcessHandle left =
                ProcessHandle.of(Long.parseLong(Files.readString(pid).strip())).orElseThrow();
        assertThat(left.isAlive()).isTrue();
        left.destroyForcibly();
    }

    @Test
    @DisplayName("is not held up by a program that writes much, and keeps the end of it")
    void muchOutput() throws Exception {
        String what = failure(actuator("head -c 3000000 /dev/zero | tr '\\0' x; echo; echo the end; exit 1")
                .stop(target("db1", 7)));
        assertThat(what).endsWith("the end").hasSizeLessThan(6000);
    }

    @Test
    @DisplayName("gives a program an empty input")
    void noInput() throws Exception {
        assertThat(done(actuator("cat; " + stopping()).stop(target("db1", 7))).now())
                .isEqualTo(ResourceState.STOPPED);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "echo running,RUNNING",
        "echo Stopped,STOPPED",
        "echo STARTING up,STARTING",
        "echo stopping; exit 9,STOPPING",
        "echo server is running (PID: 7),RUNNING",
        "exit 3,STOPPED",
        "echo inactive; exit 3,STOPPED",
        "exit 4,UNKNOWN",
        "kill -9 $$,UNKNOWN"
    })
    @DisplayName("reads the state as a word, or as the exit code of systemctl and pg_ctl")
    void states(String script, ResourceState expected) throws Exception {
        String quoted = script.replace("(PID: 7)", "'(PID: 7)'");
        assertThat(actuator("exit 0", quoted, Map.of()).state(target("db1", 1))).isEqualTo(expected);
    }

    @Test
    @DisplayName("does not stop what it cannot see")
    void blind() throws Exception {
        Actuator actuator = actuator(stopping(), "exit 4", Map.of());
        assertThat(failure(actuator.stop(target("db1", 7)))).contains("exit code 4");
        assertThat(Files.readString(state)).startsWith("running");
    }

    @Test
    @DisplayName("lets no identifier pass for an option")
    void option() throws Exception {
        assertThat(failure(actuator(stopping()).stop(target("--force", 7)))).contains("taken for an option");
        assertThat(Files.readString(state)).startsWith("running");
    }
}
