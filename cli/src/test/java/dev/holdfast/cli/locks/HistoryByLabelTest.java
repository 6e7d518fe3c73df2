package dev.holdfast.cli.locks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.LocalServer;
import dev.holdfast.cli.Shell;
import dev.holdfast.cli.Shell.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("holdfast history")
final class HistoryByLabelTest {
    @TempDir
    private Path directory;

    private static void finds(Shell shell) {
        assertThat(shell.run("acquire", "sync", "--lease", "1m", "--owner", "pod-1")
                        .code())
                .isZero();
        assertThat(shell.run("acquire", "nightly", "--lease", "1m", "--metadata", "label=sync-all")
                        .code())
                .isZero();
        assertThat(shell.run("acquire", "other", "--lease", "1m").code()).isZero();
        Result found = shell.run("history", "sync-all", "-o", "name");
        assertThat(found.out()).isEqualTo("default:nightly\ndefault:sync\n");
        assertThat(shell.run("history", "sync", "-o", "name").out()).isEqualTo("default:sync\n");
        assertThat(shell.run("history", "sync-project-web", "-o", "name").out()).isEmpty();
    }

    @Test
    @DisplayName("finds a lock by the label of its holders, in a store and through a server")
    void byLabel() throws Exception {
        finds(Shell.on(directory));
        Path home = Files.createDirectories(directory.resolve("server"));
        try (LocalServer server = LocalServer.start(home)) {
            finds(new Shell(server.url()));
        }
    }
}
