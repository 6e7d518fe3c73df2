package dev.holdfast.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.LocalServer;
import dev.holdfast.cli.Shell;
import dev.holdfast.cli.Shell.Result;
import dev.holdfast.cli.exec.ExecProcess;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.server.auth.TokenSecret;
import dev.holdfast.testkit.Await;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("token create, ls and revoke on a running server")
final class TokenCommandsTest {
    private static final String ROOT = "hf_root-0123456789";

    @TempDir
    private Path directory;

    private static String entry(String id, String token, String roles) {
        return "  - {id: " + id + ", sha256: " + TokenSecret.sha256(token) + ", roles: " + roles + "}\n";
    }

    private Path token(String name, String token) throws Exception {
        return Files.writeString(directory.resolve(name), token + "\n");
    }

    private static Result as(Path token, Shell shell, String... args) {
        List<String> all = new ArrayList<>(List.of(args));
        all.addAll(List.of("--token-file", token.toString()));
        return shell.run(all.toArray(String[]::new));
    }

    @Test
    @DisplayName("a token is made, works, is listed, is revoked and works no more; the file is followed as well")
    void life() throws Exception {
        Path config = directory.resolve("holdfast.yaml");
        String root = "auth.tokens:\n" + entry("root", ROOT, "{'*': [admin]}");
        Files.writeString(config, root);
        Path rootFile = token("root", ROOT);
        try (LocalServer server = LocalServer.start(directory)) {
            Shell shell = new Shell(server.url());
            Result made = as(rootFile, shell, "token", "create", "ci", "--role", "ci=lock", "--expires", "90d");
            assertThat(made.code()).as(made.toString()).isZero();
            assertThat(made.out()).matches("hf_[A-Za-z0-9_-]{43}\n");
            assertThat(made.err())
                    .contains(
                            "Token 'ci' expires at 2", "HOLDFAST_TOKEN=", "holdfast ls -N ci --server " + server.url())
                    .doesNotContain("hf_");
            Result eternal = as(rootFile, shell, "token", "create", "cd", "--role", "ci=lock");
            assertThat(eternal.err()).contains("does not expire");

            Path ci = token("ci", made.out().strip());
            assertThat(as(ci, shell, "ls", "-N", "ci").code()).isZero();
            assertThat(as(ci, shell, "token", "ls").code()).isEqualTo(ExitCodes.REFUSED);
            assertThat(as(ci, shell, "acquire", "ci:owned", "-o", "value=owner").out())
                    .as("who holds a lock is who the token says")
                    .isEqualTo("ci\n");
            Result again = as(rootFile, shell, "token", "create", "ci", "--role", "ci=lock");
            assertThat(again.code()).isEqualTo(ExitCodes.FAILURE);
            assertThat(again.err()).contains("already");

            Result listed = as(rootFile, shell, "token", "ls");
            assertThat(listed.out())
                    .contains("ID", "EXPIRES", "root", "*=admin", "(configuration)", "ci=lock", "never")
                    .doesNotContain("hf_", "sha256");
            assertThat(as(rootFile, shell, "token", "ls", "-o", "name").out()).isEqualTo("root\nci\ncd\n");

            List<String> watch = ExecProcess.command();
            watch.set(watch.size() - 1, "watch");
            watch.addAll(List.of("-N", "ci", "--token-file", ci.toString()));
            try (ExecProcess watching = ExecProcess.run(server.url(), directory, watch)) {
                watching.until("it watches", () -> watching.err().contains("Watching"));
                assertThat(as(rootFile, shell, "token", "revoke", "ci").out()).isEqualTo("Token 'ci' is revoked\n");
                assertThat(watching.exit()).as(watching::toString).isEqualTo(ExitCodes.REFUSED);
            }
            assertThat(as(ci, shell, "ls", "-N", "ci").code()).isEqualTo(ExitCodes.REFUSED);
            assertThat(as(rootFile, shell, "token", "revoke", "ci").code()).isEqualTo(ExitCodes.FAILURE);

            Path later = token("later", "hf_later-0123456789");
            Files.writeString(config, root + entry("later", "hf_later-0123456789", "{ci: [lock]}"));
            Await.until(
                    "the entry in the file counts",
                    () -> as(later, shell, "ls", "-N", "ci").code() == ExitCodes.OK);
            Files.writeString(config, root);
            Await.until(
                    "and does not once it is gone",
                    () -> as(later, shell, "ls", "-N", "ci").code() == ExitCodes.REFUSED);
        }
    }

    @Test
    @DisplayName("tokens are not made in a store; --entry prints the entry for the file though a server is named")
    void withoutServer() {
        Result store = Shell.on(directory).run("token", "ls");
        assertThat(store.code()).as(store.toString()).isEqualTo(ExitCodes.USAGE);
        assertThat(store.err()).contains("--server");
        Result entry = new Shell("http://127.0.0.1:1").run("token", "create", "ci", "--role", "ci=lock", "--entry");
        assertThat(entry.code()).isZero();
        assertThat(entry.err()).contains("- id: ci", "sha256: ");
    }
}
