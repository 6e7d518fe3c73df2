package dev.holdfast.cli.exec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LockClient;
import dev.holdfast.model.LockKey;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class ExecSignalsTest {
    @TempDir
    private Path directory;

    private ExecProcess exec(String... arguments) {
        return ExecProcess.start(directory, arguments);
    }

    private Path file(String name) {
        return directory.resolve(name);
    }

    @Test
    @DisplayName("TERM, INT and HUP reach the command once, and what it makes of them is the exit code")
    void passedOn() throws Exception {
        for (String signal : new String[] {"TERM", "INT", "HUP"}) {
            Path ready = file("ready-" + signal);
            Path got = file("got-" + signal);
            String script = "for s in TERM INT HUP; do trap \"echo $s >> " + got + "; n=1\" $s; done; echo ready > "
                    + ready + "; while [ -z \"$n\" ]; do sleep 0.05; done; sleep 0.3; exit 9";
            try (ExecProcess exec = exec("job", "--", "sh", "-c", script)) {
                exec.untilWritten(ready);
                exec.signal(signal);
                assertThat(exec.exit()).as(exec::toString).isEqualTo(9);
                assertThat(got).hasContent(signal);
            }
        }
    }

    @Test
    @DisplayName("a command that TERM ends is 143, and the lock is free at once")
    void terminated() throws Exception {
        try (ExecProcess exec = exec("job", "--", "sh", "-c", "echo ready > ready; exec sleep 600")) {
            exec.untilWritten(file("ready"));
            exec.signal("TERM");
            assertThat(exec.exit()).isEqualTo(143);
        }
        try (LockClient client = LockClient.connect(ExecProcess.store(directory))) {
            assertThat(client.inspect().get(LockKey.of("default", "job")).isFree())
                    .isTrue();
        }
    }

    @Test
    @DisplayName("TERM and INT reach what a shell started, too: nothing of it goes on without the lock")
    void wholeTree() throws Exception {
        for (String signal : List.of("TERM", "INT")) {
            Path pid = directory.resolve("pid-" + signal);
            try (ExecProcess exec = ExecProcess.start(
                    directory, "job", "-c", "sh -c 'echo $$ > " + pid + "; exec sleep 600'; exit 3")) {
                long inner = Long.parseLong(exec.untilWritten(pid));
                exec.signal(signal);
                exec.exit();
                ExecProcess.awaited("it is gone after " + signal, () -> !ExecProcess.runs(inner));
            }
        }
    }

    @Test
    @DisplayName("a second INT kills the command and what it started")
    void secondInterrupt() throws Exception {
        String script =
                "trap 'echo INT >> got' INT; (trap '' INT; echo $$ > /dev/null; exec sleep 600) & echo $! > grandchild;"
                        + " while :; do sleep 0.05; done";
        try (ExecProcess exec = exec("job", "--", "sh", "-c", script)) {
            long grandchild = Long.parseLong(exec.untilWritten(file("grandchild")));
            exec.signal("INT");
            exec.untilWritten(file("got"));
            assertThat(ExecProcess.runs(grandchild)).isTrue();
            exec.signal("INT");
            assertThat(exec.exit()).isEqualTo(137);
            assertThat(ExecProcess.runs(grandchild)).isFalse();
            assertThat(file("got")).hasContent("INT");
        }
    }

    @Test
    @DisplayName("killed itself, exec leaves its command running, and the next one runs when the lease has ended")
    void killed() throws Exception {
        try (ExecProcess exec = exec("--lease", "3s", "job", "--", "sh", "-c", "echo $$ > child; exec sleep 600")) {
            long child = Long.parseLong(exec.untilWritten(file("child")));
            exec.signal("KILL");
            assertThat(exec.exit()).isEqualTo(137);
            try (ExecProcess next = exec("job", "--", "sh", "-c", "echo $HOLDFAST_FENCING_TOKEN")) {
                assertThat(next.exit()).isZero();
                assertThat(next.out()).containsPattern("[0-9]+");
            } finally {
                assertThat(ExecProcess.runs(child)).isTrue();
                ProcessHandle.of(child).ifPresent(ProcessHandle::destroyForcibly);
            }
        }
    }

    @Test
    @DisplayName("with setpriv --pdeathsig the command does not outlive an exec that is killed")
    void diesWithParent() throws Exception {
        Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/bin/setpriv")), "setpriv is not installed");
        try (ExecProcess exec =
                exec("job", "--", "setpriv", "--pdeathsig", "KILL", "sh", "-c", "echo $$ > child; exec sleep 600")) {
            long child = Long.parseLong(exec.untilWritten(file("child")));
            assertThat(ExecProcess.runs(child)).isTrue();
            exec.signal("KILL");
            assertThat(exec.exit()).isEqualTo(137);
            ExecProcess.awaited("the command is gone too", () -> !ExecProcess.runs(child));
        }
    }
}
