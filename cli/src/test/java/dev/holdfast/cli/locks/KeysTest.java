package dev.holdfast.cli.locks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.cli.Shell;
import dev.holdfast.cli.Shell.Result;
import dev.holdfast.cli.exec.ExecProcess;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.RecordKey;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Keys on the command line")
class KeysTest {
    @TempDir
    private Path directory;

    private Shell shell;

    @BeforeEach
    void open() {
        shell = Shell.on(directory);
    }

    private static LockKey literal(String namespace, String name) {
        return new LockKey(new RecordKey(namespace, name), LockPath.WHOLE);
    }

    @Test
    @DisplayName("what is shown is taken back: exec does not run beside the holder that ls shows")
    void takenBack() throws Exception {
        assertThat(shell.run("acquire", "x", "-N", "billing", "--lease", "1h").code())
                .isZero();
        String shown = shell.run("ls", "-o", "name").out().strip();
        assertThat(shown).isEqualTo("billing:x");
        assertThat(shell.run("get", shown).out()).contains("held");
        assertThat(shell.run("get", shown, "-o", "name").out().strip()).isEqualTo(shown);
        assertThat(shell.run("history", shown).out()).contains("billing:x");
        try (ExecProcess exec = ExecProcess.start(directory, "-n", shown, "--", "touch", "ran")) {
            assertThat(exec.exit()).isEqualTo(ExitCodes.BUSY);
        }
        assertThat(directory.resolve("ran")).doesNotExist();
        assertThat(shell.run("acquire", "billing:tree/web", "--lease", "1h").code())
                .isZero();
        assertThat(shell.run("acquire", "billing:tree/mail").code()).isZero();
        assertThat(shell.run("acquire", "tree", "-N", "billing", "--path", "web/api")
                        .code())
                .isEqualTo(ExitCodes.BUSY);
        assertThat(shell.run("ls").out()).contains("billing:tree/web ").contains("billing:tree/mail ");
    }

    @Test
    @DisplayName("a namespace that is named twice is refused, and so are other spellings that mean nothing")
    void twice() {
        Result both = shell.run("acquire", "billing:x", "-N", "billing");
        assertThat(both.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(both.err()).contains("both name the namespace").contains("billing:billing:x");
        assertThat(shell.run("acquire", "a:b", "-N", "billing").code()).isZero();
        assertThat(shell.run("get", "billing:a:b").out()).contains("held");
        for (String wrong : new String[] {":x", "a:", "x/", "/x", "b d:x"}) {
            assertThat(shell.run("acquire", wrong).code()).as(wrong).isEqualTo(ExitCodes.USAGE);
        }
    }

    @Test
    @DisplayName("a lock that is free here and held elsewhere is pointed out")
    void elsewhere() {
        shell.run("acquire", "billing:x", "--lease", "1h");
        for (String command : new String[] {"get", "explain", "unlock"}) {
            assertThat(shell.run(command, "x").err()).as(command).contains("Did you mean billing:x?");
        }
        assertThat(shell.run("get", "x", "-o", "json").err()).isEmpty();
        assertThat(shell.run("get", "y").err()).isEmpty();
        assertThat(shell.run("get", "billing:x").err()).isEmpty();
    }

    @Test
    @DisplayName(
            "a namespace that contradicts a key somebody holds is refused; exec says where a lock of this name is held")
    void contradiction() {
        shell.run("acquire", "billing:x", "--lease", "1h");
        Result other = shell.run("acquire", "billing:x", "-N", "other");
        assertThat(other.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(other.err()).contains("other:billing:x").contains("is held by");
        assertThat(shell.run("acquire", "other:billing:x").code()).isZero();
        assertThat(shell.run("acquire", "billing:x ").code()).isEqualTo(ExitCodes.USAGE);
        assumeTrue(Shell.hasTerminals(), "there is no 'script' here to make a terminal with");
        Result hinted = shell.terminal("", "exec", "-n", "x", "-c", "echo ran");
        assertThat(hinted.code()).as(hinted.toString()).isZero();
        assertThat(hinted.out()).contains("Did you mean billing:x?", "ran");
    }

    @Test
    @DisplayName(
            "a word that is also the whole name of a lock somebody holds is refused, until it is said which is meant")
    void oneReading() throws Exception {
        try (LockClient program = LockClient.connect(shell.store());
                Lease slash = program.acquire(literal("default", "jobs/nightly"));
                Lease colon = program.acquire(literal("default", "billing:y"))) {
            Result part = shell.run("acquire", "jobs/nightly");
            assertThat(part.code()).isEqualTo(ExitCodes.USAGE);
            assertThat(part.err()).contains("default:jobs%2Fnightly").contains("-N default jobs --path nightly");
            assertThat(shell.run("acquire", "billing:y").code()).isEqualTo(ExitCodes.USAGE);
            try (ExecProcess exec = ExecProcess.start(directory, "-n", "jobs/nightly", "--", "touch", "ran")) {
                assertThat(exec.exit()).isEqualTo(ExitCodes.USAGE);
            }
            assertThat(directory.resolve("ran")).doesNotExist();
            assertThat(shell.run("acquire", "default:jobs%2Fnightly").code()).isEqualTo(ExitCodes.BUSY);
            assertThat(shell.run("acquire", "jobs/nightly", "-N", "default").code())
                    .isEqualTo(ExitCodes.BUSY);
            assertThat(shell.run("acquire", "jobs", "-N", "default", "--path", "nightly", "--lease", "100ms")
                            .code())
                    .isZero();
            assertThat(shell.run("ls", "-o", "name").out()).contains("default:jobs%2Fnightly\n", "default:billing:y\n");
            assertThat(slash.isValid() && colon.isValid()).isTrue();
        }
        assertThat(shell.run("acquire", "jobs/nightly", "-w", "10s").code()).isZero();
    }

    @Test
    @DisplayName("lists begin where the word says: a namespace, and how names start in it")
    void prefixes() {
        shell.run("acquire", "billing:invoice", "--lease", "1h");
        shell.run("acquire", "billing:other", "--lease", "1h");
        shell.run("acquire", "invoice", "--lease", "1h");
        assertThat(shell.run("ls", "billing:inv", "-o", "name").out()).isEqualTo("billing:invoice\n");
        assertThat(shell.run("ls", "billing:", "-o", "name").out()).isEqualTo("billing:invoice\nbilling:other\n");
        assertThat(shell.run("ls", "inv", "-o", "name").out()).isEqualTo("billing:invoice\ndefault:invoice\n");
        assertThat(shell.run("ls", "-o", "value=holders.path").code()).isZero();
        assertThat(shell.run("ls", "-o", "value=name").out()).isEqualTo("invoice\nother\ninvoice\n");
        assertThat(shell.run("ls", "-o", "value=nam").code()).isEqualTo(ExitCodes.USAGE);
        assertThat(shell.run("ls", "--times", "absolute").out()).containsPattern("20[0-9]{2}-[0-9-]+T[0-9:]+Z");
        assertThat(shell.run("history", "--times", "relative").out()).contains(" ago");
    }
}
