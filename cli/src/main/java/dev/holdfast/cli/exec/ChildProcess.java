package dev.holdfast.cli.exec;

import dev.holdfast.Lease;
import dev.holdfast.cli.text.FailureMessage;
import dev.holdfast.cli.text.ProcFiles;
import dev.holdfast.model.LockKey;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The command that runs under the lock: started without a shell, with the input and outputs of this process, and with the
 * lock in its environment.
 */
public final class ChildProcess {
    public static final String LEASE_ID = "HOLDFAST_LEASE_ID";

    private final Process process;
    private final ProcessTree tree;

    private ChildProcess(Process process, String leaseId) {
        this.process = process;
        this.tree = new ProcessTree(process.toHandle(), leaseId);
    }

    /**
     * Starts it, with these variables besides; an empty one is taken away.
     *
     * <p>The thread that does must live as long as the child: {@code setpriv --pdeathsig} looks at the thread.
     */
    static ChildProcess start(List<String> command, Lease lease, Map<String, Optional<String>> more) throws NotStarted {
        ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
        Map<String, String> environment = builder.environment();
        tell(environment, lease, more);
        try {
            return new ChildProcess(builder.start(), lease.leaseId().value());
        } catch (IOException e) {
            throw NotStarted.of(command.get(0), environment.getOrDefault("PATH", ""), e);
        }
    }

    /** Puts the lock into an environment, with these variables besides; an empty one is taken away. */
    static void tell(Map<String, String> environment, Lease lease, Map<String, Optional<String>> more) {
        LockKey key = lease.key();
        environment.put("HOLDFAST_NAMESPACE", key.namespace());
        environment.put("HOLDFAST_KEY", key.name());
        environment.put("HOLDFAST_FENCING_TOKEN", Long.toString(lease.token().value()));
        environment.put(LEASE_ID, lease.leaseId().value());
        if (key.path().isWhole()) {
            environment.remove("HOLDFAST_PATH"); // that of an exec around this one
        } else {
            environment.put("HOLDFAST_PATH", key.path().value());
        }
        more.forEach((name, value) ->
                value.ifPresentOrElse(text -> environment.put(name, text), () -> environment.remove(name)));
    }

    ProcessTree tree() {
        return tree;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Its exit code once it has ended; 128 plus the signal, if one ended it. */
    int exitCode() {
        return process.exitValue();
    }

    void onEnd(Runnable listener) {
        var unused = process.onExit().thenRun(listener);
    }

    /**
     * Passes a signal on, to the command and all processes it started: a shell that ends would leave behind what it ran, without the
     * lock. Not an {@code INT} that the terminal has sent already: in the foreground Ctrl-C reaches every process of the group, and to
     * many programs a second one means something worse.
     */
    void pass(Signals signal) {
        if (!process.isAlive() || (signal == Signals.INT && ProcFiles.isInForeground(process.pid()))) {
            return;
        }
        List<ProcessHandle> all = tree.processes();
        if (signal == Signals.TERM || !sent(signal, all)) {
            all.forEach(ProcessHandle::destroy); // being told to end in another way is better than not being told
        }
    }

    /** The shell's own kill: small images have no other. */
    private static boolean sent(Signals signal, List<ProcessHandle> all) {
        List<String> command = new ArrayList<>(List.of(
                "sh",
                "-c",
                "s=$1; shift; for p; do kill -s \"$s\" \"$p\" 2>/dev/null || [ ! -d /proc/$p ] || exit 1; done",
                "sh",
                signal.name()));
        all.forEach(each -> command.add(Long.toString(each.pid())));
        try {
            Process kill = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return kill.waitFor(5, TimeUnit.SECONDS) && kill.exitValue() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    static final class NotStarted extends Exception {
        private static final long serialVersionUID = 1;
        private static final int NOT_EXECUTABLE = 126;
        private static final int NOT_FOUND = 127;

        private final int exitCode;

        private NotStarted(String message, int exitCode, IOException cause) {
            super(message, cause);
            this.exitCode = exitCode;
        }

        /** What a shell says in this case. */
        int exitCode() {
            return exitCode;
        }

        static NotStarted of(String command, String path, IOException cause) {
            return isThere(command, path)
                    ? new NotStarted(
                            "'" + command + "' cannot be run: " + FailureMessage.of(String.valueOf(cause.getMessage()))
                                    + ". Is it executable (chmod +x), and a program?",
                            NOT_EXECUTABLE,
                            cause)
                    : new NotStarted(
                            "'" + command + "' was not found"
                                    + (command.contains("/")
                                            ? ""
                                            : " in PATH, and commands run without a shell: for built-ins and pipes use"
                                                    + " sh -c '...'"),
                            NOT_FOUND,
                            cause);
        }

        /** Judged by looking, since the words of the failure differ between JDKs. */
        private static boolean isThere(String command, String path) {
            if (command.contains("/")) {
                return Files.exists(Path.of(command));
            }
            return !command.isEmpty()
                    && Stream.of(path.split(File.pathSeparator, -1))
                            .anyMatch(directory -> Files.isRegularFile(Path.of(directory, command)));
        }
    }
}
