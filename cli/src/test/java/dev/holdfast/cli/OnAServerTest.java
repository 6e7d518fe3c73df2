package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LockClient;
import dev.holdfast.cli.Shell.Result;
import dev.holdfast.cli.exec.ExecProcess;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.model.LockKey;
import dev.holdfast.testkit.process.ServerProcess;
import dev.holdfast.testkit.servers.Ports;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@DisplayName("Commands that ask a server")
@Execution(ExecutionMode.CONCURRENT)
final class OnAServerTest {
    private static final List<List<String>> SESSION = List.of(
            List.of("ls"),
            List.of(
                    "acquire",
                    "invoice-run",
                    "-N",
                    "billing",
                    "--lease",
                    "1h",
                    "--owner",
                    "anna",
                    "--reason",
                    "month end"),
            List.of("acquire", "invoice-run", "-N", "billing", "--lease", "1h", "--owner", "bert"),
            List.of("acquire", "tree", "--path", "a/b", "--lease", "1h", "--owner", "anna", "--metadata", "ci=17"),
            List.of("acquire", "pool", "--permit", "3", "--lease", "1h", "--owner", "anna"),
            List.of("ls"),
            List.of("ls", "-o", "json"),
            List.of("ls", "-N", "billing", "-o", "yaml"),
            List.of("get", "invoice-run", "-N", "billing"),
            List.of("explain", "invoice-run", "-N", "billing"),
            List.of("unlock", "invoice-run", "-N", "billing", "--yes", "--force", "--reason", "left behind"),
            List.of("unlock", "invoice-run", "-N", "billing", "--yes"),
            List.of("history", "-N", "billing"),
            List.of("release", "tree", "--lease-id", "not-the-lease-id"),
            List.of("renew", "tree", "--lease-id", "not-the-lease-id"),
            List.of("cleanup", "--dry-run"),
            List.of("get", "never-used", "-o", "json"));

    @TempDir
    private Path directory;

    @Test
    @DisplayName("print and answer the same as those that work on a store")
    void sameOutput() throws Exception {
        Shell store = Shell.on(directory);
        LockClient.connect(store.store()).close(); // a file that is not there is remarked upon
        List<String> onStore = session(store);
        try (LocalServer server = LocalServer.start(directory)) {
            List<String> onServer = session(new Shell(server.url()));
            for (int i = 0; i < onStore.size(); i++) {
                assertThat(onServer.get(i)).as("%s", SESSION.get(i)).isEqualTo(onStore.get(i));
            }
        }
    }

    private static List<String> session(Shell shell) {
        List<String> said = new ArrayList<>();
        for (List<String> command : SESSION) {
            said.add(plain(shell.run(command.toArray(String[]::new)), shell));
        }
        return said;
    }

    /** Without what differs from one run to the next: times, tokens, ids, and who is logged in. */
    private static String plain(Result result, Shell shell) {
        String text = result.code() + "\n" + result.out() + "\n" + result.err();
        return text.replaceAll("--(store|server) " + Pattern.quote(shell.store()), "TARGET")
                .replaceAll("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z", "TIME")
                .replaceAll("\\b\\d{16}\\b", "TOKEN")
                .replaceAll("\\b[0-9a-f]{32}\\b", "LEASE")
                .replaceAll("\\b(\\d+h)?(\\d+m)?\\d+(ms|s)\\b", "AGE")
                .replaceAll("(anonymous|[a-z0-9.-]+@[A-Za-z0-9.-]+)", "")
                .replaceAll(" +", " ");
    }

    @Test
    @DisplayName("exec: a server killed -9 ends the command before its lease; when it is back, the next one runs")
    void execAndAKilledServer() throws Exception {
        int port = Ports.free();
        String url = "http://127.0.0.1:" + port;
        Path beat = directory.resolve("beat");
        Instant end;
        try (ServerProcess server = CliServer.start(port, directory, Map.of()).ready();
                ExecProcess exec = ExecProcess.startOn(
                        url,
                        directory,
                        "--lease",
                        "10s",
                        "--kill-after",
                        "2s",
                        "job",
                        "--",
                        "sh",
                        "-c",
                        "trap '' TERM; while :; do date +%s%N > beat.new; mv beat.new beat; sleep 0.05; done")) {
            exec.untilWritten(beat);
            server.signal("KILL");
            assertThat(exec.exit()).as(exec::toString).isEqualTo(ExitCodes.LOST);
            assertThat(exec.err()).contains("default:job cannot be renewed").contains("ended before its lease");
        }
        try (ServerProcess server = CliServer.start(port, directory, Map.of()).ready();
                LockClient client = LockClient.connect(url)) {
            var holders = client.inspect().get(LockKey.of("default", "job")).holders();
            if (!holders.isEmpty()) { // after its restart the server keeps what was left of the lease
                end = holders.get(0).expiresAt().orElseThrow();
                assertThat(Instant.ofEpochSecond(
                                0, Long.parseLong(Files.readString(beat).strip())))
                        .isBefore(end);
            }
            try (ExecProcess next = ExecProcess.startOn(url, directory, "job", "--", "echo", "my turn")) {
                assertThat(next.exit()).as(next::toString).isZero();
                assertThat(next.out()).isEqualTo("my turn");
            }
        }
    }

    @Test
    @DisplayName("exec killed -9 leaves its lease to end, and the next one runs after it, not before")
    void killedExec() throws Exception {
        try (LocalServer server = LocalServer.start(directory);
                LockClient client = LockClient.connect(server.url())) {
            String url = server.url();
            LockKey job = LockKey.of("default", "job");
            try (ExecProcess exec = ExecProcess.startOn(
                    url,
                    directory,
                    "--lease",
                    "5s",
                    "--kill-after",
                    "1s",
                    "job",
                    "--",
                    "sh",
                    "-c",
                    "echo on > on; sleep 60")) {
                exec.untilWritten(directory.resolve("on"));
                exec.signal("KILL");
                Instant end =
                        client.inspect().get(job).holders().get(0).expiresAt().orElseThrow();
                try (ExecProcess next =
                        ExecProcess.startOn(url, directory, "job", "--", "sh", "-c", "date +%s%N > began")) {
                    assertThat(next.exit()).as(next::toString).isZero();
                }
                long began = Long.parseLong(
                        Files.readString(directory.resolve("began")).strip());
                assertThat(Instant.ofEpochSecond(0, began)).isAfter(end);
            }
        }
    }

    @Test
    @DisplayName("who is not let in gets 4, who finds nobody 69; both hear where, and the token is not shown")
    void refusedAndUnreachable() throws Exception {
        Path config = directory.resolve("holdfast.yaml");
        Files.writeString(
                config, "auth.tokens:\n  - {id: ci, sha256: '" + "0".repeat(64) + "', roles: {'*': [lock]}}\n");
        Path token = directory.resolve("token");
        Files.writeString(token, "hf_not-the-token");
        try (LocalServer server = LocalServer.start(directory)) {
            Shell shell = new Shell(server.url());
            for (List<String> command : List.of(
                    List.of("ls"),
                    List.of("get", "x"),
                    List.of("acquire", "x"),
                    List.of("watch"),
                    List.of("ls", "--token-file", token.toString()))) {
                Result refused = shell.run(command.toArray(String[]::new));
                assertThat(refused.code()).as(refused.toString()).isEqualTo(ExitCodes.REFUSED);
                assertThat(refused.err()).contains(shell.store()).doesNotContain("hf_not");
            }
        }
        Shell nobody = new Shell("http://127.0.0.1:" + Ports.free());
        Result alone = nobody.run("ls");
        assertThat(alone.code()).isEqualTo(ExitCodes.UNREACHABLE);
        assertThat(alone.err()).contains(nobody.store()).contains("/health/ready");
    }
}
