package dev.holdfast.cli.exec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.Main;
import dev.holdfast.cli.text.ExitCodes;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExecCodesTest {
    @TempDir
    private Path directory;

    private ExecProcess exec(String... arguments) {
        return ExecProcess.start(directory, arguments);
    }

    @Test
    @DisplayName("the command has our input and outputs, its words as they are, and the lock in its environment")
    void passedThrough() throws Exception {
        Files.writeString(directory.resolve("file"), "must not be read by us");
        String script = "cat; echo \"$1\" \"$2\"; echo to-err >&2; env | grep ^HOLDFAST_ | sort";
        try (ExecProcess exec = exec(
                "-N", "shop", "--path", "web/api", "deploy", "--", "sh", "-c", script, "sh", "two  words", "@file")) {
            assertThat(exec.type("typed\n").exit()).isZero();
            assertThat(exec.out())
                    .startsWith("typed\ntwo  words @file\n")
                    .contains("HOLDFAST_KEY=deploy", "HOLDFAST_NAMESPACE=shop", "HOLDFAST_PATH=web/api")
                    .containsPattern("HOLDFAST_FENCING_TOKEN=[0-9]+")
                    .containsPattern("HOLDFAST_LEASE_ID=[A-Za-z0-9_-]{8,}");
            assertThat(exec.err()).isEqualTo("to-err");
        }
    }

    @Test
    @DisplayName("the exit code is the command's own, and the report tells the rest")
    void ownCode() throws Exception {
        Path report = directory.resolve("report.json");
        try (ExecProcess exec =
                exec("--report", report.toString(), "--owner", "me", "job", "--", "sh", "-c", "exit 7")) {
            assertThat(exec.exit()).isEqualTo(7);
        }
        assertThat(report)
                .content()
                .contains("\"outcome\" : \"ended\"", "\"exit_code\" : 7", "\"signal\" : null", "\"owner\" : \"me\"")
                .contains("\"lost_reason\" : null", "\"key\" : \"job\"", "\"namespace\" : \"default\"")
                .containsPattern("\"fencing_token\" : [0-9]{10,}")
                .containsPattern("\"started_at\" : \"20..-..-..T..:..:..\\....Z\"")
                .containsPattern("\"duration_ms\" : [0-9]+")
                .containsPattern("\"waited_ms\" : [0-9]+")
                .doesNotContain("lease_id");
        try (var files = Files.list(directory)) {
            assertThat(files.map(Path::getFileName).map(Path::toString))
                    .noneMatch(name -> name.startsWith(".holdfast"));
        }
    }

    @Test
    @DisplayName("a command that a signal ended is 128 and the signal")
    void signalled() throws Exception {
        Path report = directory.resolve("report.json");
        try (ExecProcess exec = exec("--report", report.toString(), "job", "--", "sh", "-c", "kill -9 $$")) {
            assertThat(exec.exit()).isEqualTo(137);
        }
        assertThat(report)
                .content()
                .contains("\"outcome\" : \"ended\"", "\"exit_code\" : 137", "\"signal\" : \"KILL\"");
    }

    @Test
    @DisplayName("a command that is not there is 127, one that cannot be run 126, and the lock is free again")
    void notStarted() throws Exception {
        Path report = directory.resolve("report.json");
        Path plain = Files.writeString(directory.resolve("plain.txt"), "no program");
        try (ExecProcess exec = exec("--report", report.toString(), "job", "--", "no-such-command")) {
            assertThat(exec.exit()).isEqualTo(127);
            assertThat(exec.err()).contains("'no-such-command' was not found");
        }
        assertThat(report)
                .content()
                .contains("\"outcome\" : \"not_started\"", "\"exit_code\" : 127", "\"started_at\" : null");
        try (ExecProcess exec = exec("-n", "job", "--", plain.toString())) {
            assertThat(exec.exit()).isEqualTo(126);
            assertThat(exec.err()).contains(plain.toString()).contains("chmod +x");
        }
        try (ExecProcess exec = exec("-n", "job", "--", "true")) {
            assertThat(exec.exit()).isZero();
        }
    }

    @Test
    @DisplayName("a store that is not there is 69, and the report says that it failed")
    void unreachable() throws Exception {
        Path report = directory.resolve("report.json");
        String nowhere = "sqlite:" + Files.writeString(directory.resolve("notes.txt"), "no database ".repeat(200));
        try (ExecProcess exec =
                ExecProcess.startOn(nowhere, directory, "--report", report.toString(), "job", "--", "touch", "ran")) {
            assertThat(exec.exit()).isEqualTo(ExitCodes.UNREACHABLE);
            assertThat(exec.err()).contains("notes.txt");
        }
        assertThat(report).content().contains("\"outcome\" : \"failed\"", "\"exit_code\" : 69");
        assertThat(directory.resolve("ran")).doesNotExist();
    }

    @Test
    @DisplayName("wrong use is 2, says what is wrong, and runs nothing")
    void wrongUse() {
        assertThat(refused("job", "touch", "ran")).contains("Put -- between");
        assertThat(refused("job", "touch", "-n", "ran")).contains("job -- touch -n ran");
        assertThat(refused("-c", "touch ran", "job", "--", "touch", "ran")).contains("-c already gives the command");
        assertThat(refused("-N", "billing", "billing:x", "--", "touch", "ran")).contains("both name the namespace");
        assertThat(refused("-n", "-w", "5s", "job", "--", "touch", "ran"))
                .contains("-n")
                .contains("--wait");
        assertThat(refused("-s", "--permit", "2", "job", "--", "touch", "ran")).contains("--permit");
        assertThat(refused("--permit", "0", "job", "--", "touch", "ran")).contains("permit");
        assertThat(refused("--skip-if-held", "-E", "3", "job", "--", "touch", "ran"))
                .contains("-E");
        assertThat(refused("-E", "300", "job", "--", "touch", "ran")).contains("300");
        assertThat(refused("--lease", "10s", "--kill-after", "6s", "job", "--", "touch", "ran"))
                .contains("--kill-after 6s")
                .contains("--lease 10s");
        assertThat(refused("--lease", "2d", "job", "--", "touch", "ran")).contains("lease");
        assertThat(refused("--wait", "soon", "job", "--", "touch", "ran")).contains("'soon'");
        assertThat(refused("--report", directory.resolve("no/such").toString(), "job", "--", "touch", "ran"))
                .contains("--report");
        assertThat(refused("-N", "a b", "job", "--", "touch", "ran")).contains("a b");
        assertThat(refused("job", "--")).contains("Say what to run");
        assertThat(directory).isEmptyDirectory();
    }

    private String refused(String... arguments) {
        StringWriter err = new StringWriter();
        String[] all = new String[arguments.length + 3];
        all[0] = "exec";
        all[1] = "--store";
        all[2] = ExecProcess.store(directory);
        System.arraycopy(arguments, 0, all, 3, arguments.length);
        assertThat(Main.commandLine().setErr(new PrintWriter(err, true)).execute(all))
                .isEqualTo(ExitCodes.USAGE);
        return err.toString();
    }
}
