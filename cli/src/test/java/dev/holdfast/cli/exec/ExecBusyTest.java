package dev.holdfast.cli.exec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ClientConfig;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.cli.CliServer;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.model.LockKey;
import dev.holdfast.testkit.process.ServerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class ExecBusyTest {
    private static final LockKey JOB = LockKey.of("default", "job");

    @TempDir
    private Path directory;

    private LockClient client;

    @BeforeEach
    void open() {
        client = LockClient.connect(ExecProcess.store(directory), ClientConfig.DEFAULT.withOwner("other-host"));
    }

    @AfterEach
    void close() {
        client.close();
    }

    private ExecProcess exec(String... arguments) {
        return ExecProcess.start(directory, arguments);
    }

    @Test
    @DisplayName("a queue that is full is asked for a place now and then, not without a pause")
    void fullQueue() throws Exception {
        LockKey key = LockKey.of("default", "job");
        try (ServerProcess server = CliServer.start(directory, Map.of(), "--locks.max-waiters=1")
                        .ready();
                LockClient locks = LockClient.connect("http://127.0.0.1:" + server.port());
                Lease held = locks.acquire(key, o -> o.lease(Duration.ofMinutes(30)))) {
            var unused = locks.acquireAsync(key, o -> o.waitUpTo(Duration.ofMinutes(30)));
            ExecProcess.awaited(
                    "one waits", () -> locks.inspect().get(key).waiters().size() == 1);
            try (ExecProcess exec = ExecProcess.startOn(
                    "http://127.0.0.1:" + server.port(), directory, "-w", "3s", "job", "--", "true")) {
                assertThat(exec.exit()).as(exec::toString).isEqualTo(ExitCodes.BUSY);
            }
            String refused = "route=\"/v2/locks/acquire\",status=\"429\"} ";
            String metrics = server.get("/metrics").body();
            int at = metrics.indexOf(refused);
            assertThat(Double.parseDouble(metrics.substring(at + refused.length())
                            .lines()
                            .findFirst()
                            .orElseThrow()))
                    .isBetween(1.0, 10.0);
            assertThat(held.isValid()).isTrue();
        }
    }

    @Test
    @DisplayName("busy is 75, or the code that was asked for, or 0 when held means done")
    void busy() throws Exception {
        Path report = directory.resolve("report.json");
        try (Lease held = client.acquire(JOB, o -> o.reason("nightly run"))) {
            try (ExecProcess exec = exec("-n", "--report", report.toString(), "job", "--", "touch", "ran")) {
                assertThat(exec.exit()).isEqualTo(ExitCodes.BUSY);
                assertThat(exec.err()).contains("other-host (nightly run)").contains("holdfast explain default:job");
                assertThat(report)
                        .content()
                        .contains("\"outcome\" : \"busy\"", "\"exit_code\" : 75", "\"held_by\" : \"other-host\"")
                        .contains("\"fencing_token\" : null", "\"started_at\" : null");
            }
            try (ExecProcess exec = exec("-E", "33", "-w", "100ms", "-q", "job", "--", "touch", "ran")) {
                assertThat(exec.exit()).isEqualTo(33);
                assertThat(exec.err()).isEmpty();
            }
            try (ExecProcess exec =
                    exec("--skip-if-held", "--report", report.toString(), "job", "--", "touch", "ran")) {
                assertThat(exec.exit()).isZero();
                assertThat(exec.err()).contains("other-host").contains("skipped");
                assertThat(report).content().contains("\"outcome\" : \"skipped\"", "\"exit_code\" : 0");
            }
            assertThat(held.isValid()).isTrue();
        }
        assertThat(directory.resolve("ran")).doesNotExist();
    }

    @Test
    @DisplayName("shared holders and permits run beside each other, parts of a lock exclude only what overlaps")
    void shared() throws Exception {
        try (Lease reader = client.acquire(JOB, o -> o.shared());
                Lease slot = client.acquire(LockKey.of("default", "slots"), o -> o.permit(2));
                Lease part = client.acquire(LockKey.of("default", "stack").at("web"), o -> {})) {
            assertThat(code("-n", "-s", "job", "--", "true")).isZero();
            assertThat(code("-n", "job", "--", "true")).isEqualTo(ExitCodes.BUSY);
            assertThat(code("-n", "--permit", "2", "slots", "--", "true")).isZero();
            assertThat(code("-n", "--path", "jobs", "stack", "--", "true")).isZero();
            assertThat(code("-n", "--path", "web/api", "stack", "--", "true")).isEqualTo(ExitCodes.BUSY);
        }
    }

    private int code(String... arguments) throws Exception {
        try (ExecProcess exec = exec(arguments)) {
            return exec.exit();
        }
    }

    @Test
    @DisplayName("without a terminal the waiting is one line: who, why, how long, which place; then it runs")
    void waits() throws Exception {
        try (Lease held = client.acquire(JOB, o -> o.reason("nightly run"));
                ExecProcess exec = exec("--owner", "me", "--reason", "mine", "job", "--", "echo", "ran")) {
            exec.until("it says that it waits", () -> exec.err().contains("waiting"));
            assertThat(exec.err())
                    .containsPattern("waiting for default:job, (place 1 of 1|0 waiting): held by other-host"
                            + " for [0-9a-z]+, ends in [0-9]+s \\(nightly run\\)");
            exec.until(
                    "it is in line", () -> !client.inspect().get(JOB).waiters().isEmpty());
            assertThat(client.inspect().get(JOB).waiters().get(0).owner()).isEqualTo("me");
            held.close();
            assertThat(exec.exit()).isZero();
            assertThat(exec.out()).isEqualTo("ran");
            assertThat(exec.err().lines()).hasSize(1);
        }
    }

    @Test
    @DisplayName("a signal while it waits ends it with 128 and the signal, and leaves no place in the queue")
    void interrupted() throws Exception {
        Path report = directory.resolve("report.json");
        try (Lease held = client.acquire(JOB, o -> {});
                ExecProcess exec = exec("--report", report.toString(), "job", "--", "touch", "ran")) {
            exec.until(
                    "it is in line", () -> !client.inspect().get(JOB).waiters().isEmpty());
            exec.signal("TERM");
            assertThat(exec.exit()).isEqualTo(143);
            ExecProcess.awaited(
                    "its place is given up",
                    () -> client.inspect().get(JOB).waiters().isEmpty());
            assertThat(report)
                    .content()
                    .contains("\"outcome\" : \"interrupted\"", "\"exit_code\" : 143", "\"signal\" : \"TERM\"");
            assertThat(held.isValid()).isTrue();
        }
        assertThat(directory.resolve("ran")).doesNotExist();
    }

    @Test
    @DisplayName("several on one file exclude each other, and each runs")
    void excluded() throws Exception {
        String script = "mkdir inside || echo overlap >> overlaps; sleep 0.3; rmdir inside; echo done >> runs";
        List<ExecProcess> all = new ArrayList<>();
        try {
            for (int i = 0; i < 4; i++) {
                all.add(exec("-q", "job", "--", "sh", "-c", script));
            }
            for (ExecProcess exec : all) {
                assertThat(exec.exit()).as(exec::toString).isZero();
            }
        } finally {
            all.forEach(ExecProcess::close);
        }
        assertThat(directory.resolve("runs")).hasContent("done\n".repeat(4));
        assertThat(directory.resolve("overlaps")).doesNotExist();
    }
}
