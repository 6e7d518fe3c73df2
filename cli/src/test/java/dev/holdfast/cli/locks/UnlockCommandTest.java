package dev.holdfast.cli.locks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.cli.Abandoned;
import dev.holdfast.cli.Shell;
import dev.holdfast.cli.Shell.Result;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.model.LockKey;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Ending a hold by force")
final class UnlockCommandTest {
    private Shell shell;

    @BeforeEach
    void open(@TempDir Path directory) {
        shell = Shell.on(directory);
    }

    private boolean isHeld(String name) {
        return shell.run("get", name, "-o", "json").out().contains("\"held\":true");
    }

    @Test
    @DisplayName(
            "without a terminal a holder that is not stale needs --force and --reason: whose it is is shown, nothing done, and 5")
    void liveNeedsForce() {
        shell.run("acquire", "job", "--lease", "1h", "--owner", "worker-7", "--reason", "month end");
        Result asked = shell.runWith("yes\njob\n", "unlock", "job");
        assertThat(asked.code()).isEqualTo(ExitCodes.NOT_CONFIRMED);
        assertThat(asked.out()).isEmpty();
        assertThat(asked.err())
                .contains("worker-7")
                .contains("month end")
                .contains("last heartbeat")
                .contains("held for")
                .contains("--force --reason");
        assertThat(isHeld("job")).isTrue();
        Result onlyYes = shell.runWith("", "unlock", "job", "--yes");
        assertThat(onlyYes.code()).isEqualTo(ExitCodes.NOT_CONFIRMED);
        assertThat(onlyYes.err()).contains("--force --reason");
        assertThat(isHeld("job")).isTrue();
        Result done = shell.runWith("", "unlock", "job", "--force", "--reason", "it burns");
        assertThat(done.code()).isZero();
        assertThat(done.out()).contains("✓").contains("worker-7");
        assertThat(isHeld("job")).isFalse();
    }

    @Test
    @DisplayName("without a terminal a stale holder needs --yes")
    void staleNeedsYes() {
        Abandoned.fourHoursAgo(shell.store(), LockKey.of("default", "job"), "gone");
        Result asked = shell.runWith("", "unlock", "job");
        assertThat(asked.code()).isEqualTo(ExitCodes.NOT_CONFIRMED);
        assertThat(asked.err()).contains("--yes");
        assertThat(shell.runWith("", "unlock", "job", "--yes").code()).isZero();
        assertThat(shell.run("history", "job", "--event", "forced", "-o", "json")
                        .out())
                .contains("\"reason\":\"holdfast unlock by ")
                .contains("@");
    }

    @Test
    @DisplayName("nobody holds it: 3")
    void nobody() {
        assertThat(shell.run("unlock", "job", "--yes").code()).isEqualTo(ExitCodes.NOT_HELD);
        shell.run("acquire", "job", "--lease", "1h");
        Result other = shell.run("unlock", "job", "--yes", "--token", "1");
        assertThat(other.code()).isEqualTo(ExitCodes.NOT_HELD);
        assertThat(other.err()).contains("token 1");
        assertThat(isHeld("job")).isTrue();
    }

    @Test
    @DisplayName("--force needs --reason")
    void forceNeedsReason() {
        shell.run("acquire", "job", "--lease", "1h");
        assertThat(shell.run("unlock", "job", "--force", "--yes").code()).isEqualTo(ExitCodes.USAGE);
        assertThat(shell.run("unlock", "job", "--force", "--reason", " ", "--yes")
                        .code())
                .isEqualTo(ExitCodes.USAGE);
        assertThat(isHeld("job")).isTrue();
        Result done = shell.run("unlock", "job", "--force", "--reason", "it burns", "--yes", "-o", "json");
        assertThat(done.code()).isZero();
        assertThat(done.out()).containsPattern("\"forced_by\":\"[^\"]+@[^\"]+\",\"reason\":\"it burns\"}");
    }

    @Test
    @DisplayName("of several holders one must be named")
    void several() {
        String first = shell.run("acquire", "job", "--lease", "1h", "-s", "--owner", "anna")
                .after("fencing_token");
        shell.run("acquire", "job", "--lease", "1h", "-s", "--owner", "bert");
        Result which = shell.run("unlock", "job", "--yes");
        assertThat(which.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(which.err()).contains("--token " + first).contains("anna").contains("bert");
        assertThat(shell.run("unlock", "job", "--force", "--reason", "why", "--token", first)
                        .code())
                .isZero();
        assertThat(shell.run("get", "job").out()).contains("bert").doesNotContain("anna");
        shell.run("acquire", "tree", "--lease", "1h", "--path", "a", "--owner", "anna");
        shell.run("acquire", "tree", "--lease", "1h", "--path", "b", "--owner", "bert");
        assertThat(shell.run("unlock", "tree/b", "--force", "--reason", "why").code())
                .isZero();
        assertThat(shell.run("get", "tree").out()).contains("anna").doesNotContain("bert");
    }

    @Nested
    @DisplayName("on a terminal")
    final class OnTerminal {
        @BeforeEach
        void needsTerminal() {
            assumeTrue(Shell.hasTerminals(), "there is no 'script' here to make a terminal with");
        }

        @Test
        @DisplayName("asks the name of the lock for a holder that is not stale")
        void asksName() {
            shell.run("acquire", "job", "--lease", "1h");
            Result yes = shell.terminal("yes\n", "unlock", "job");
            assertThat(yes.code()).as(yes.toString()).isEqualTo(ExitCodes.NOT_CONFIRMED);
            assertThat(yes.out()).contains("type the name of the lock").contains("Nothing was done");
            assertThat(isHeld("job")).isTrue();
            assertThat(shell.terminal("job\n", "unlock", "job").code()).isZero();
            assertThat(isHeld("job")).isFalse();
        }

        @Test
        @DisplayName("asks 'yes' for a stale one")
        void asksYes() {
            Abandoned.fourHoursAgo(shell.store(), LockKey.of("default", "job"), "gone");
            Result no = shell.terminal("no\n", "unlock", "job");
            assertThat(no.code()).isEqualTo(ExitCodes.NOT_CONFIRMED);
            assertThat(no.out())
                    .contains("3h45m ago: stale")
                    .contains("(yes/no)")
                    .contains("\u001b[");
            Result yes = shell.terminal("yes\n", "unlock", "job");
            assertThat(yes.code()).isZero();
            assertThat(isHeld("job")).isFalse();
        }

        @Test
        @DisplayName("a holder that changes while the answer is awaited is not touched")
        void changedMeanwhile() {
            String token = shell.run("acquire", "job", "--lease", "1h", "--lease-id", "first-lease")
                    .after("fencing_token");
            Result late = shell.terminal(
                    () -> {
                        shell.run("release", "job", "--lease-id", "first-lease");
                        shell.run("acquire", "job", "--lease", "1h", "--owner", "next-one");
                        return "job\n";
                    },
                    "type the name",
                    "unlock",
                    "job",
                    "--token",
                    token);
            assertThat(late.code()).as(late.toString()).isEqualTo(ExitCodes.NOT_HELD);
            assertThat(late.out()).contains("Meanwhile").contains("next-one").contains("Nothing was done");
            assertThat(isHeld("job")).isTrue();
        }

        @Test
        @DisplayName("tables fit the screen: texts are cut and columns left out, names are whole, and no line wraps")
        void fits() {
            String name = "a".repeat(40) + "-end";
            shell.run("acquire", name, "--lease", "1h", "--reason", "r".repeat(100));
            Result listed = shell.terminal("", "ls", "--color", "never");
            assertThat(listed.out().lines())
                    .hasSize(2)
                    .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(80));
            assertThat(listed.out()).contains("default:" + name);
            assertThat(shell.terminal("", "ls", "--color", "never", "-o", "wide")
                            .out())
                    .contains("TOKEN", "r".repeat(100));
            assertThat(shell.run("ls").out()).contains(name, "r".repeat(100)).doesNotContain("…");
        }
    }
}
