package dev.holdfast.cli.locks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.cli.Shell;
import dev.holdfast.cli.Shell.Result;
import dev.holdfast.cli.exec.ExecProcess;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.model.LockKey;
import dev.holdfast.testkit.Await;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Taking a lock by hand")
final class LeaseCommandsTest {
    private Shell shell;

    @BeforeEach
    void open(@TempDir Path directory) {
        shell = Shell.on(directory);
    }

    @Test
    @DisplayName("Ctrl-C ends a wait without a word about it, and leaves no place in the queue")
    void interruptedWait(@TempDir Path directory) throws Exception {
        LockKey key = LockKey.of("default", "job");
        List<String> command = ExecProcess.command();
        command.set(command.size() - 1, "acquire");
        command.addAll(List.of("job", "-w", "10m"));
        command.addAll(0, List.of("env", "--default-signal=INT"));
        try (LockClient client = LockClient.connect(ExecProcess.store(directory));
                Lease held = client.acquire(key, o -> o.lease(Duration.ofMinutes(30)));
                ExecProcess waiting = ExecProcess.run(ExecProcess.store(directory), directory, command)) {
            waiting.until("it waits", () -> !client.inspect().get(key).waiters().isEmpty());
            waiting.signal("INT");
            assertThat(waiting.exit()).isEqualTo(130);
            assertThat(waiting.err()).doesNotContain("Exception");
            assertThat(client.inspect().get(key).waiters()).isEmpty();
            assertThat(held.isValid()).isTrue();
        }
    }

    @Test
    @DisplayName("what acquire took stays taken after its process has ended, and its lease id gives it back")
    void staysTaken() {
        Result taken = shell.process("", Map.of(), "acquire", "job", "--lease", "1h", "-o", "json");
        assertThat(taken.code()).as(taken.toString()).isZero();
        assertThat(taken.out())
                .startsWith(
                        "{\"namespace\":\"default\",\"name\":\"job\",\"path\":\"\",\"mode\":\"exclusive\",\"owner\":\"")
                .containsPattern(
                        "\"fencing_token\":[0-9]+,\"granted_at\":\"[^\"]+Z\",\"expires_at\":\"[^\"]+Z\",\"lease_ms\":3600000}");
        assertThat(shell.run("history", "job", "-o", "json").out()).doesNotContain("lock.lost", "lock.released");
        Result busy = shell.run("acquire", "job");
        assertThat(busy.code()).isEqualTo(ExitCodes.BUSY);
        assertThat(busy.out()).isEmpty();
        assertThat(busy.err())
                .contains("default:job")
                .contains("held by")
                .contains("for another")
                .contains("explain");
        String id = taken.after("\"lease_id\"");
        assertThat(shell.run("release", "job", "--lease-id", id).code()).isZero();
        assertThat(shell.run("acquire", "job").code()).isZero();
    }

    @Test
    @DisplayName("the same lease id gets the same hold again, and none once it has ended")
    void sameId() {
        String token = shell.run("acquire", "job", "--lease-id", "chosen-id-1").after("fencing_token");
        assertThat(shell.run("acquire", "job", "--lease-id", "chosen-id-1").after("fencing_token"))
                .isEqualTo(token);
        assertThat(shell.run("release", "job", "--lease-id", "chosen-id-1").code())
                .isZero();
        Result ended = shell.run("acquire", "job", "--lease-id", "chosen-id-1");
        assertThat(ended.code()).isEqualTo(ExitCodes.LOST);
        assertThat(ended.err()).contains("released");
    }

    @Test
    @DisplayName("renew prolongs it, by another length if asked for, and says 3 when it is not held")
    void renew() {
        String id = shell.run("acquire", "job", "-o", "name").out().strip();
        Result renewed = shell.run("renew", "job", "--lease-id", id, "--lease", "2h");
        assertThat(renewed.code()).isZero();
        assertThat(renewed.out()).contains("expires_at").contains("in 1h59m");
        assertThat(shell.run("renew", "job", "--lease-id", id, "-o", "json").out())
                .startsWith("{\"lease_id\":\"" + id + "\",\"outcome\":\"renewed\",\"expires_at\":\"");
        assertThat(shell.run("release", "job", "--lease-id", id, "-o", "json").out())
                .isEqualTo("{\"lease_id\":\"" + id + "\",\"outcome\":\"released\"}\n");
        Result late = shell.run("renew", "job", "--lease-id", id, "-o", "json");
        assertThat(late.code()).isEqualTo(ExitCodes.NOT_HELD);
        assertThat(late.out()).contains("\"outcome\":\"lost\",\"reason\":\"released\"");
        assertThat(late.err()).contains("stop the work");
        Result again = shell.run("release", "job", "--lease-id", id);
        assertThat(again.code()).isEqualTo(ExitCodes.NOT_HELD);
        assertThat(again.out()).isEmpty();
        assertThat(again.err()).contains("Nothing was done");
    }

    @Test
    @DisplayName(
            "renew and release take the lease id from the environment; acquire does not, it would take over another's")
    void environment() {
        shell.run("acquire", "job", "--lease", "1h", "--lease-id", "chosen-id-1");
        Map<String, String> environment = Map.of("HOLDFAST_LEASE_ID", "chosen-id-1");
        assertThat(shell.process("", environment, "acquire", "job").code()).isEqualTo(ExitCodes.BUSY);
        assertThat(shell.process("", environment, "renew", "job").code()).isZero();
        assertThat(shell.process("", environment, "release", "job").code()).isZero();
        Result none = shell.run("release", "job");
        assertThat(none.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(none.err()).contains("--lease-id").contains("HOLDFAST_LEASE_ID");
    }

    @Test
    @DisplayName("shared holders and permits stand beside each other, parts beside other parts")
    void sharing() {
        assertThat(shell.run("acquire", "s", "-s").code()).isZero();
        assertThat(shell.run("acquire", "s", "--shared").code()).isZero();
        assertThat(shell.run("acquire", "s").code()).isEqualTo(ExitCodes.BUSY);
        assertThat(shell.run("acquire", "p", "--permit", "2").code()).isZero();
        assertThat(shell.run("acquire", "p", "--permit", "2").code()).isZero();
        assertThat(shell.run("acquire", "p", "--permit", "2").code()).isEqualTo(ExitCodes.BUSY);
        assertThat(shell.run("acquire", "t", "--path", "a/b").code()).isZero();
        assertThat(shell.run("acquire", "t", "--path", "a/c").code()).isZero();
        assertThat(shell.run("acquire", "t", "--path", "a").err()).contains("default:t/a");
        assertThat(shell.run("acquire", "s", "-s", "--permit", "2").code()).isEqualTo(ExitCodes.USAGE);
    }

    @Test
    @DisplayName("acquire waits as long as it is told")
    void waits() {
        String id =
                shell.run("acquire", "job", "--lease", "1h", "-o", "name").out().strip();
        assertThat(shell.run("acquire", "job", "--wait", "50ms").code()).isEqualTo(ExitCodes.BUSY);
        CompletableFuture<Result> later =
                CompletableFuture.supplyAsync(() -> shell.run("acquire", "job", "-w", "100s"));
        Await.until(
                "it waits", () -> shell.run("get", "job", "-o", "json").out().contains("\"position\":1"));
        shell.run("release", "job", "--lease-id", id);
        assertThat(Await.get(later).code()).isZero();
    }

    @Test
    @DisplayName("what is wrong on the command line is told with an example, and 2")
    void mistakes() {
        Result time = shell.run("acquire", "job", "--lease", "5 minutes");
        assertThat(time.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(time.err()).contains("--lease").contains("30s");
        Result name = shell.run("acquire", "a\u0007b");
        assertThat(name.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(name.err()).contains("lock name").contains("Example: holdfast acquire billing:invoice-run");
        assertThat(shell.run("acquire").code()).isEqualTo(ExitCodes.USAGE);
        assertThat(shell.run("acquire", "job", "--lease", "25h").err()).contains("lease");
        assertThat(shell.run("acquire", "job", "--lease", "25h").code()).isEqualTo(ExitCodes.USAGE);
        assertThat(shell.run("acquire", "job", "--lease-id", "short").code()).isEqualTo(ExitCodes.USAGE);
        assertThat(shell.run("acquire", "job", "--permit", "0").code()).isEqualTo(ExitCodes.USAGE);
        assertThat(shell.run("get", "job", "-N", "a b").code()).isEqualTo(ExitCodes.USAGE);
    }

    @Test
    @DisplayName("names in any script come out as they are, whatever the locale")
    void scripts() {
        shell.run("acquire", "Prüfung-検査", "--lease", "1h");
        Result listed = shell.process("", Map.of("LC_ALL", "C"), "ls", "-o", "name");
        assertThat(listed.out()).isEqualTo("default:Prüfung-検査\n");
    }

    @Test
    @DisplayName("a store that cannot be reached is 69, not busy and not free")
    void unreachable() {
        Shell nowhere = new Shell("postgresql://nobody@127.0.0.1:1/none?connectTimeout=2");
        Result result = nowhere.run("acquire", "job");
        assertThat(result.code()).as(result.toString()).isEqualTo(ExitCodes.UNREACHABLE);
        assertThat(nowhere.run("ls").code()).isEqualTo(ExitCodes.UNREACHABLE);
    }
}
