package dev.holdfast.cli.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holder;
import dev.holdfast.LockClient;
import dev.holdfast.cli.Shell;
import dev.holdfast.cli.Shell.Result;
import dev.holdfast.cli.Tfstate;
import dev.holdfast.cli.exec.ExecProcess;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.NextSteps;
import dev.holdfast.state.versions.Stack;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@DisplayName("holdfast state run")
@Execution(ExecutionMode.CONCURRENT)
final class StateRunTest {
    private static final Stack SHOP = new Stack("shop", "production");

    @TempDir
    private Path directory;

    private String store() {
        return ExecProcess.store(directory);
    }

    private Path file(String name) {
        return directory.resolve(name);
    }

    /** {@code holdfast} as a word of a shell script, given as $0. */
    private static String holdfast() {
        List<String> words = ExecProcess.command();
        words.remove(words.size() - 1); // exec
        StringBuilder line = new StringBuilder();
        words.forEach(word -> line.append(NextSteps.quoted(word)).append(' '));
        return line.toString();
    }

    private ExecProcess run(List<String> options, String script) {
        return run(store(), options, script);
    }

    private ExecProcess run(String store, List<String> options, String script) {
        List<String> command = ExecProcess.command();
        command.remove(command.size() - 1);
        command.addAll(0, List.of("env", "--default-signal=INT,HUP,TERM"));
        command.addAll(List.of("state", "run"));
        command.addAll(options);
        command.addAll(List.of("shop", "production", "--", "sh", "-c", script));
        return ExecProcess.run(store, directory, command);
    }

    private List<Holder> holders() {
        try (LockClient locks = LockClient.connect(store())) {
            return locks.inspect().get(SHOP.lock()).holders();
        }
    }

    private Result history() {
        return new Shell(store()).run("state", "history", "shop", "production", "-o", "json");
    }

    @Test
    @DisplayName("holds the lock for several commands; pull and push in it need no names, and save under that lock")
    void deploys() throws Exception {
        Files.writeString(file("first"), Tfstate.of(1, "one", "x"));
        Files.writeString(file("second"), Tfstate.of(2, "two", "x"));
        String script = "set -e; " + holdfast() + "state push first; " + holdfast() + "state pull > pulled; "
                + holdfast() + "state push second; env > env; exit 7";
        try (ExecProcess run = run(List.of("--owner", "ci-7"), script)) {
            assertThat(run.exit()).as(run::toString).isEqualTo(7);
        }
        assertThat(file("pulled")).hasContent(Tfstate.of(1, "one", "x"));
        Result history = history();
        String token = history.after("fencing_token\"");
        assertThat(history.out().split("\"fencing_token\":" + token, -1))
                .as("both under one token")
                .hasSize(3);
        assertThat(file("env"))
                .content()
                .contains("HOLDFAST_STACK=shop", "HOLDFAST_ENVIRONMENT=production", "HOLDFAST_FENCING_TOKEN=" + token)
                .contains("HOLDFAST_STORE=" + store());
        assertThat(holders()).isEmpty();
    }

    @Test
    @DisplayName(
            "on a part: others deploy other parts meanwhile, and a save over what they saved is refused until it is pulled")
    void parts() throws Exception {
        for (int i = 1; i <= 3; i++) {
            Files.writeString(file("s" + i), Tfstate.of(i, "v" + i, "x"));
        }
        String inner = holdfast() + "state run --path orders shop production -- sh -c "
                + NextSteps.quoted(holdfast() + "state pull > pulled; " + holdfast() + "state push s2");
        String script = "set -e; " + holdfast() + "state push s1; " + inner + "; "
                + holdfast() + "state push s3 2> conflict || echo $? > code; "
                + holdfast() + "state pull > merged; " + holdfast() + "state push s3; "
                + holdfast() + "state run -n shop production -- true 2> busy || echo $? > whole";
        try (ExecProcess run = run(List.of("--path", "users/api", "--visible-locks"), script)) {
            assertThat(run.exit()).as(run::toString).isZero();
        }
        assertThat(file("pulled")).hasContent(Tfstate.of(1, "v1", "x"));
        assertThat(file("conflict")).content().contains("changed after it was loaded");
        assertThat(file("code")).hasContent("1");
        assertThat(file("merged")).hasContent(Tfstate.of(2, "v2", "x"));
        assertThat(file("whole")).hasContent("75");
        assertThat(new Shell(store())
                        .run("state", "history", "shop", "production", "-o", "name")
                        .out()
                        .lines())
                .hasSize(3);
        assertThat(holders()).isEmpty();
    }

    @Test
    @DisplayName("ends with the code of the command also if the files that show the lock cannot be brought up to date")
    void visibleLocksFail() throws Exception {
        String documents = "file:" + file("documents");
        try (ExecProcess run = run(
                List.of("--visible-locks", "--state-store", documents),
                "rm -rf documents; echo nothing > documents; exit 7")) {
            assertThat(run.exit()).as(run::toString).isEqualTo(7);
            assertThat(run.toString()).contains("could not be brought up to date");
        }
        assertThat(holders()).isEmpty();
    }

    @Test
    @DisplayName("keeps others out and tells them who deploys; by default for an hour, with metadata of the CI run")
    void keepsOut() throws Exception {
        try (ExecProcess run = run(List.of(), "echo on > on; while [ ! -e go ]; do sleep 0.05; done")) {
            run.untilWritten(file("on"));
            Holder holder = holders().get(0);
            assertThat(holder.reason()).isEqualTo("state run sh");
            assertThat(holder.metadata()).containsKeys("hostname", "pid");
            assertThat(holder.expiresAt().orElseThrow())
                    .isAfter(holder.grantedAt().plusSeconds(3500));
            Files.writeString(file("state"), Tfstate.of(1, "one", "x"));
            Shell other = new Shell(store());
            Result push = other.run(
                    "state", "push", "shop", "production", file("state").toString());
            assertThat(push.code()).isEqualTo(ExitCodes.BUSY);
            assertThat(push.err()).contains("state run sh");
            Map<String, String> place = Map.of("HOLDFAST_STORE", store()); // a flag at the end would be for the command
            Result second = other.process("", place, "state", "run", "-n", "shop", "production", "--", "true");
            assertThat(second.code()).as(second.toString()).isEqualTo(ExitCodes.BUSY);
            Files.createFile(file("go"));
            assertThat(run.exit()).as(run::toString).isZero();
        }
    }

    @Test
    @DisplayName(
            "ended by force: the command is stopped with all its processes, and what it saves later is refused; 76")
    void forced() throws Exception {
        Files.writeString(file("late"), Tfstate.of(1, "late", "x"));
        String script = "trap '' TERM; sh -c 'echo $$ > grandchild; while :; do sleep 0.05; done' & "
                + "env | grep ^HOLDFAST_ > env.new; mv env.new env; wait; while :; do sleep 0.05; done";
        List<String> variables;
        try (ExecProcess run = run(List.of("--lease", "6s", "--kill-after", "1s"), script)) {
            run.untilWritten(file("env"));
            long grandchild = Long.parseLong(run.untilWritten(file("grandchild")));
            Result unlocked = new Shell(store())
                    .run("state", "unlock", "shop", "production", "--yes", "--force", "--reason", "test");
            assertThat(unlocked.code()).as(unlocked.toString()).isZero();
            assertThat(run.exit()).as(run::toString).isEqualTo(ExitCodes.LOST);
            assertThat(run.err()).contains("is lost (forced)");
            assertThat(ExecProcess.runs(grandchild)).isFalse();
            variables = Files.readAllLines(file("env"));
        }
        // A process that got away still has the id of the lease that was ended.
        Map<String, String> zombie = new java.util.HashMap<>();
        variables.forEach(
                line -> zombie.put(line.substring(0, line.indexOf('=')), line.substring(line.indexOf('=') + 1)));
        Result late = new Shell(store())
                .process("", zombie, "state", "push", file("late").toString());
        assertThat(late.code()).as(late.toString()).isEqualTo(ExitCodes.LOST);
        assertThat(late.err()).contains("not locked by this lease");
        assertThat(history().out()).contains("\"items\":[]");
    }

    @Test
    @DisplayName("killed -9: its lease ends by itself, and the next one deploys after it, not before")
    void killed() throws Exception {
        List<String> options = List.of("--lease", "3s", "--kill-after", "1s");
        try (ExecProcess run = run(options, "echo on > on; sleep 60")) {
            run.untilWritten(file("on"));
            run.signal("KILL");
            Holder dead = holders().get(0);
            try (ExecProcess next = run(options, "date +%s%N > began")) {
                assertThat(next.exit()).as(next::toString).isZero();
            }
            long began = Long.parseLong(Files.readString(file("began")).strip());
            assertThat(java.time.Instant.ofEpochSecond(0, began))
                    .isAfter(dead.expiresAt().orElseThrow());
        }
    }

    @Test
    @DisplayName("a signal is the command's; a command that is not there is 127, and leaves no lock")
    void codes() throws Exception {
        try (ExecProcess run = run(List.of(), "trap 'exit 9' TERM; echo on > on; while :; do sleep 0.05; done")) {
            run.untilWritten(file("on"));
            run.signal("TERM");
            assertThat(run.exit()).as(run::toString).isEqualTo(9);
        }
        List<String> command = new ArrayList<>(ExecProcess.command());
        command.remove(command.size() - 1);
        command.addAll(List.of("state", "run", "shop", "production", "--", "no-such-command"));
        try (ExecProcess run = ExecProcess.run(store(), directory, command)) {
            assertThat(run.exit()).as(run::toString).isEqualTo(127);
        }
        assertThat(holders()).isEmpty();
    }
}
