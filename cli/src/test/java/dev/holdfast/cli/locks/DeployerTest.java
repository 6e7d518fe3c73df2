package dev.holdfast.cli.locks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.Abandoned;
import dev.holdfast.cli.Shell;
import dev.holdfast.cli.Shell.Result;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.model.LockKey;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("deployer")
final class DeployerTest {
    private static final LockKey KEY = LockKey.of("deploy", "stack:user-platform:env:production");

    private Shell shell;

    @BeforeEach
    void open(@TempDir Path directory) {
        shell = Shell.on(directory);
    }

    private Result locks() {
        return shell.run("deployer", "state", "locks", "--stack", "user-platform", "--environment", "production");
    }

    private Result unlock(String typed, String... more) {
        String[] args = new String[more.length + 7];
        System.arraycopy(
                new String[] {"deployer", "unlock", "--stack", "user-platform", "--environment", "production", "--force"
                },
                0,
                args,
                0,
                7);
        System.arraycopy(more, 0, args, 7, more.length);
        return shell.runWith(typed, args);
    }

    @Test
    @DisplayName("state locks prints the block of its documents")
    void block() {
        assertThat(locks().out())
                .isEqualTo("Lock Status:\n  Stack: user-platform\n  Environment: production\n  Locked: No\n");
        Abandoned.fourHoursAgo(shell.store(), KEY, "github-actions-run-12345");
        assertThat(locks().out()).matches("""
                        Lock Status:
                          Stack: user-platform
                          Environment: production
                          Locked: Yes
                          Locked by: github-actions-run-12345
                          Locked at: \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d \\(4 hours( \\d+ minutes?)? ago\\)
                          Last heartbeat: \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d \\(3 hours 4\\d minutes ago\\)
                          Status: ⚠ STALE \\(no heartbeat for >3 hours\\)
                        """);
    }

    @Test
    @DisplayName("unlock warns, asks, and releases when told yes")
    void unlocks() {
        Abandoned.fourHoursAgo(shell.store(), KEY, "github-actions-run-12345");
        Result no = unlock("no\n");
        assertThat(no.code()).isEqualTo(ExitCodes.NOT_CONFIRMED);
        assertThat(no.err())
                .contains(
                        "⚠ Warning: This will forcefully release the lock.\n  Current holder: github-actions-run-12345\n"
                                + "  Locked since: ")
                .contains("\n\nAre you sure? (yes/no): ");
        assertThat(unlock("").code()).isEqualTo(ExitCodes.NOT_CONFIRMED);
        assertThat(locks().out()).contains("Locked: Yes");
        Result yes = unlock("yes\n");
        assertThat(yes.code()).isZero();
        assertThat(yes.out()).isEqualTo("✓ Lock released successfully\n");
        assertThat(locks().out()).contains("Locked: No");
        assertThat(unlock("yes\n").code()).isEqualTo(ExitCodes.NOT_HELD);
    }

    @Test
    @DisplayName("services and components locked alone are shown, and unlocked by their path")
    void parts() {
        for (String path : new String[] {"mail", "user-service/api"}) {
            shell.run("acquire", KEY.name(), "-N", "deploy", "--path", path, "--lease", "1h", "--owner", "by-" + path);
        }
        assertThat(locks().out())
                .contains("  Service: mail\n  Locked by: by-mail\n")
                .contains("  Component: user-service/api\n")
                .contains("Status: ✓ Active");
        Result which = unlock("yes\n");
        assertThat(which.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(which.err()).contains("--path user-service/api");
        assertThat(unlock("", "--yes", "--path", "mail").code()).isZero();
        assertThat(locks().out()).doesNotContain("mail").contains("user-service/api");
    }

    @Test
    @DisplayName("names that could make the key of another deployment are refused, as is another namespace")
    void refuses() {
        Result colon = shell.run("deployer", "state", "locks", "--stack", "a:env:b", "--environment", "c");
        assertThat(colon.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(colon.err()).contains("--stack").contains("Example");
        assertThat(shell.run("deployer", "state", "locks", "--stack", "a", "--environment", "c", "-N", "x")
                        .code())
                .isEqualTo(ExitCodes.USAGE);
        assertThat(shell.run("deployer", "unlock", "--stack", "a", "--environment", "c")
                        .err())
                .contains("--force");
    }
}
