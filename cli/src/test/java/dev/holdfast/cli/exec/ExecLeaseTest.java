package dev.holdfast.cli.exec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Attempt;
import dev.holdfast.Holder;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.cli.SharedPostgres;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.model.LockKey;
import dev.holdfast.testkit.servers.CuttableLine;
import dev.holdfast.testkit.servers.PostgresServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The store fails, or takes the lock away, while a command runs. */
@Execution(ExecutionMode.CONCURRENT)
class ExecLeaseTest {
    private static final LockKey JOB = LockKey.of("default", "job");

    /** Says every 50 ms by the clock of this machine, which is also the database's, that it still runs. */
    private static final String BEAT = "while :; do date +%s%N > $1.new; mv $1.new $1; sleep 0.05; done";

    private static PostgresServer postgres;

    @TempDir
    private Path directory;

    private CuttableLine line;
    private String near;
    private LockClient client;

    @BeforeAll
    static void startServer() {
        postgres = SharedPostgres.server();
    }

    @BeforeEach
    void open() {
        String database = postgres.freshDatabase();
        line = new CuttableLine(postgres.port());
        near = PostgresServer.url(line.port(), database);
        client = LockClient.connect(postgres.url(database));
    }

    @AfterEach
    void close() {
        client.close();
        line.close();
    }

    private ExecProcess exec(String... arguments) {
        return ExecProcess.startOn(near, directory, arguments);
    }

    private Path file(String name) {
        return directory.resolve(name);
    }

    private Holder holder() {
        List<Holder> holders = client.inspect().get(JOB).holders();
        assertThat(holders).hasSize(1);
        return holders.get(0);
    }

    @Test
    @DisplayName("--on-lost runs once the command has ended, --retry-lost takes the lock and runs the command again")
    void afterLoss() throws Exception {
        Path report = file("report.json");
        String script = "echo $HOLDFAST_FENCING_TOKEN >> tokens; [ $(wc -l < tokens) -gt 1 ] && exit 7; exec sleep 600";
        try (ExecProcess exec = exec(
                "--lease",
                "6s",
                "--kill-after",
                "1s",
                "--retry-lost",
                "--on-lost",
                "echo $HOLDFAST_KEY $HOLDFAST_LOST_REASON >> lost",
                "--report",
                report.toString(),
                "job",
                "-c",
                script)) {
            exec.untilWritten(file("tokens"));
            line.freeze();
            exec.until("it tries again", () -> exec.err().contains("taking default:job again"));
            line.heal();
            assertThat(exec.exit()).as(exec::toString).isEqualTo(7);
        }
        assertThat(file("lost")).content().isEqualToIgnoringNewLines("job store_unreachable");
        List<String> tokens = Files.readAllLines(file("tokens"));
        assertThat(tokens).hasSize(2);
        assertThat(Long.parseLong(tokens.get(1))).isGreaterThan(Long.parseLong(tokens.get(0)));
        assertThat(report).content().contains("\"runs\" : 2", "\"outcome\" : \"ended\"", "\"exit_code\" : 7");
    }

    @Test
    @DisplayName("--retry-lost: a lock that another has meanwhile is still a lost one, also where held would mean done")
    void lostToAnother() throws Exception {
        Path report = file("report.json");
        try (ExecProcess exec = exec(
                "--lease",
                "6s",
                "--kill-after",
                "1s",
                "--skip-if-held",
                "--retry-lost",
                "--report",
                report.toString(),
                "job",
                "-c",
                "touch ran; exec sleep 600")) {
            exec.until("it holds", () -> Files.exists(file("ran")));
            line.freeze();
            exec.until("it tries again", () -> exec.err().contains("taking default:job again"));
            try (Lease other = client.acquire(JOB)) {
                line.heal();
                assertThat(exec.exit()).as(exec::toString).isEqualTo(ExitCodes.LOST);
                assertThat(exec.err()).contains("was not run again");
                assertThat(other.isValid()).isTrue();
            }
        }
        assertThat(report).content().contains("\"outcome\" : \"lost\"", "\"exit_code\" : 76");
    }

    @Test
    @DisplayName("--retry-lost does not run again what an operator ended by force")
    void notAgainstAnOperator() throws Exception {
        try (ExecProcess exec = exec("--retry-lost", "job", "--", "sleep", "600")) {
            exec.until("it holds", () -> !client.inspect().get(JOB).isFree());
            client.inspect().forceUnlock(JOB, holder().token(), "trial");
            assertThat(exec.exit()).as(exec::toString).isEqualTo(ExitCodes.LOST);
            assertThat(exec.err()).doesNotContain("again, to run");
        }
    }

    @Test
    @DisplayName("without --retry-lost a lost lock ends it with 76, after --on-lost, whatever that ends with")
    void onLostAlone() throws Exception {
        try (ExecProcess exec = exec("--on-lost", "touch told; exit 3", "job", "--", "sleep", "600")) {
            exec.until("it holds", () -> !client.inspect().get(JOB).isFree());
            client.inspect().forceUnlock(JOB, holder().token(), "trial");
            assertThat(exec.exit()).as(exec::toString).isEqualTo(ExitCodes.LOST);
            assertThat(exec.err()).contains("--on-lost ended with 3");
        }
        assertThat(file("told")).exists();
    }

    @Test
    @DisplayName(
            "--min-hold keeps the lock for others after the command has ended; the child knows where its lock is, and why is shown")
    void minHold() throws Exception {
        String script = "echo $HOLDFAST_STORE $HOLDFAST_NAMESPACE > env";
        try (ExecProcess exec = exec("--min-hold", "10m", "shop:job", "--", "sh", "-c", script)) {
            assertThat(exec.exit()).isZero();
        }
        LockKey job = LockKey.of("shop", "job");
        assertThat(client.inspect().get(job).isFree()).isFalse();
        assertThat(file("env")).content().contains(near + " shop");
        Holder kept = client.inspect().get(job).holders().get(0);
        assertThat(kept.owner()).contains("@");
        assertThat(kept.reason()).isEqualTo("sh");
    }

    @Test
    @DisplayName(
            "a silent store: the command, its children and its orphans get TERM, the stubborn KILL, before the lease ends")
    void silentStore() throws Exception {
        Files.writeString(file("beat"), BEAT);
        Files.writeString(file("stubborn"), "trap '' TERM; " + BEAT);
        Files.writeString(file("polite"), "trap 'echo TERM > told; exit 0' TERM; " + BEAT);
        // The orphan's parent ends at once, so nobody knows any more where it came from.
        String script = "sh polite p & sh stubborn s & (sh stubborn o &) ; . ./stubborn";
        Path report = file("report.json");
        try (ExecProcess exec = exec(
                "--lease",
                "20s",
                "--kill-after",
                "3s",
                "--report",
                report.toString(),
                "job",
                "--",
                "sh",
                "-c",
                script,
                "sh",
                "c")) {
            for (String name : List.of("c", "p", "s", "o")) {
                exec.untilWritten(file(name));
            }
            line.freeze();
            Instant end = holder().expiresAt().orElseThrow();
            assertThat(exec.exit()).as(exec::toString).isEqualTo(ExitCodes.LOST);
            assertThat(exec.err()).contains("default:job cannot be renewed").contains("ended before its lease");
            assertThat(file("told")).hasContent("TERM");
            for (String name : List.of("c", "p", "s", "o")) {
                assertThat(lastBeat(name)).as(name).isBefore(end);
            }
            assertThat(lastBeat("s")).as("has the time it was promised").isAfter(lastBeat("p"));
        }
        assertThat(report)
                .content()
                .contains("\"outcome\" : \"lost\"", "\"exit_code\" : 76", "\"lost_reason\" : \"store_unreachable\"");
        String beats = beats();
        client.inspect().get(JOB); // a round trip to let what still ran beat again
        assertThat(beats()).as("nothing beats any more").isEqualTo(beats);
    }

    private Instant lastBeat(String name) {
        long nanos = Long.parseLong(ExecProcess.content(file(name)));
        return Instant.ofEpochSecond(0, nanos);
    }

    private String beats() {
        return lastBeat("c") + " " + lastBeat("s") + " " + lastBeat("o");
    }

    @Test
    @DisplayName("a store that comes back in time: the command notices nothing")
    void shortOutage() throws Exception {
        // Renewed every 8 s; the command would be stopped after 18 s.
        try (ExecProcess exec = exec(
                "--lease",
                "24s",
                "--kill-after",
                "5s",
                "job",
                "--",
                "sh",
                "-c",
                "echo ready > ready; while [ ! -e go ]; do sleep 0.05; done")) {
            exec.untilWritten(file("ready"));
            line.cut();
            Instant before = holder().renewedAt();
            exec.until(
                    "a renewal is overdue", () -> client.inspect().get(JOB).at().isAfter(before.plusSeconds(9)));
            assertThat(holder().renewedAt()).isEqualTo(before);
            line.heal();
            exec.until("it is renewed", () -> holder().renewedAt().isAfter(before));
            Files.createFile(file("go"));
            assertThat(exec.exit()).as(exec::toString).isZero();
        }
    }

    @Test
    @DisplayName("a store that is away at the end costs a warning, not the exit code")
    void releaseFails() throws Exception {
        try (ExecProcess exec = exec(
                "--lease",
                "5m",
                "job",
                "--",
                "sh",
                "-c",
                "echo ready > ready; while [ ! -e go ]; do sleep 0.05; done; exit 4")) {
            exec.untilWritten(file("ready"));
            line.cut();
            Files.createFile(file("go"));
            assertThat(exec.exit()).as(exec::toString).isEqualTo(4);
            assertThat(exec.err()).contains("default:job could not be released and ends by itself at");
        }
        assertThat(holder().expiresAt()).isPresent();
    }

    @Test
    @DisplayName("an operator ends the lease by force: TERM at once, KILL after --kill-after, 76")
    void forced() throws Exception {
        Path report = file("report.json");
        String script = "trap 'echo TERM >> told' TERM; echo $$ > child; while :; do sleep 0.05; done";
        try (ExecProcess exec = exec(
                "--lease",
                "6s",
                "--kill-after",
                "1s",
                "--report",
                report.toString(),
                "job",
                "--",
                "sh",
                "-c",
                script)) {
            long child = Long.parseLong(exec.untilWritten(file("child")));
            assertThat(client.inspect().forceUnlock(JOB, holder().token(), "test"))
                    .isInstanceOf(Attempt.Done.class);
            assertThat(exec.exit()).as(exec::toString).isEqualTo(ExitCodes.LOST);
            assertThat(exec.err()).contains("is lost (forced)");
            assertThat(file("told")).hasContent("TERM");
            assertThat(ExecProcess.runs(child)).isFalse();
        }
        assertThat(report)
                .content()
                .contains("\"outcome\" : \"lost\"", "\"exit_code\" : 76", "\"lost_reason\" : \"forced\"");
    }

    @Test
    @DisplayName("exec itself was paused for longer than the lease: the command is killed at once, 76")
    void paused() throws Exception {
        String script = "trap '' TERM; echo $$ > child; while :; do sleep 0.05; done";
        try (ExecProcess exec = exec("--lease", "2s", "job", "--", "sh", "-c", script)) {
            long child = Long.parseLong(exec.untilWritten(file("child")));
            exec.signal("STOP");
            ExecProcess.awaited(
                    "the lease has ended", () -> client.inspect().get(JOB).isFree());
            assertThat(ExecProcess.runs(child)).isTrue();
            exec.signal("CONT");
            assertThat(exec.exit()).as(exec::toString).isEqualTo(ExitCodes.LOST);
            assertThat(ExecProcess.runs(child)).isFalse();
        }
    }

    @Test
    @DisplayName("a command that has ended by itself after its lease was lost is 76 too")
    void endedTooLate() throws Exception {
        try (ExecProcess exec = exec(
                "--lease",
                "2s",
                "job",
                "--",
                "sh",
                "-c",
                "echo ready > ready; while [ ! -e go ]; do sleep 0.05; done; echo end > end")) {
            exec.untilWritten(file("ready"));
            exec.signal("STOP");
            ExecProcess.awaited(
                    "the lease has ended", () -> client.inspect().get(JOB).isFree());
            Files.createFile(file("go"));
            exec.untilWritten(file("end"));
            exec.signal("CONT");
            assertThat(exec.exit()).as(exec::toString).isEqualTo(ExitCodes.LOST);
        }
    }
}
