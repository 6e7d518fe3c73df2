package dev.holdfast.guard.actuator.builtin;

import dev.holdfast.guard.actuator.ActFailure;
import dev.holdfast.guard.actuator.Deadline;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * One run of a program. It gets only the environment it is given and an empty input. Of what it writes, the end is kept; it never
 * blocks for being unread. At the time limit everything it started is killed.
 *
 * <p>What a program leaves running when it ends in time is left alone: starting a database is often just that.
 */
final class ProcessRun {
    private static final int KEPT = 4 * 1024;
    private static final Duration TICK = Duration.ofMillis(10);
    private static final int MOST_ROUNDS = 100;
    private static final String MARK = "HOLDFAST_ACT_ID";

    private final Process process;
    private final String mark;
    private final byte[] buffer = new byte[KEPT];
    private String tail = "";

    /** What came of it: its exit code, none if it ran over its time and was killed, and the end of what it wrote. */
    record Outcome(Optional<Integer> code, String output) {}

    private ProcessRun(Process process, String mark) {
        this.process = process;
        this.mark = mark;
    }

    static Outcome of(List<String> command, Map<String, String> environment, Deadline deadline) throws ActFailure {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        String mark = UUID.randomUUID().toString();
        builder.environment().clear();
        builder.environment().putAll(environment);
        builder.environment().put(MARK, mark);
        try {
            Process process = builder.start();
            process.getOutputStream().close();
            return new ProcessRun(process, mark).await(deadline);
        } catch (IOException e) {
            throw new ActFailure("'" + command.get(0) + "' cannot be run: " + e.getMessage(), e);
        }
    }

    private Outcome await(Deadline deadline) throws ActFailure {
        try {
            // Never a blocking read: a grandchild that keeps the pipe open would hold us for as long as it lives.
            while (!process.waitFor(TICK.toMillis(), TimeUnit.MILLISECONDS)) {
                keep();
                if (deadline.over()) {
                    killAll();
                    return new Outcome(Optional.empty(), tail);
                }
            }
            keep();
            return new Outcome(Optional.of(process.exitValue()), tail);
        } catch (InterruptedException e) {
            killAll();
            Thread.currentThread().interrupt();
            throw new ActFailure("interrupted; the program was killed, look at the resource's state", e);
        }
    }

    private void keep() {
        InputStream output = process.getInputStream();
        try {
            while (output.available() > 0) {
                int count = output.read(buffer, 0, Math.min(buffer.length, output.available()));
                if (count <= 0) {
                    return;
                }
                String all = tail + new String(buffer, 0, count, StandardCharsets.UTF_8);
                tail = all.substring(Math.max(0, all.length() - KEPT));
            }
        } catch (IOException e) {
            tail = tail + " (its output was lost: " + e.getMessage() + ")";
        }
    }

    /** Children first found, all killed, and again until none is found: one may have started another meanwhile. */
    private void killAll() {
        for (int round = 0; round < MOST_ROUNDS; round++) {
            List<ProcessHandle> alive = Stream.of(process.descendants(), Stream.of(process.toHandle()), marked())
                    .flatMap(handles -> handles)
                    .filter(ProcessHandle::isAlive)
                    .toList();
            if (alive.isEmpty()) {
                return;
            }
            alive.forEach(ProcessHandle::destroyForcibly);
            LockSupport.parkNanos(TICK.toNanos());
        }
    }

    /** Those that have left the family, where the system shows what environment a process was started with. */
    private Stream<ProcessHandle> marked() {
        if (!Files.isReadable(Path.of("/proc/self/environ"))) {
            return Stream.empty();
        }
        return ProcessHandle.allProcesses().filter(handle -> {
            try {
                byte[] environment = Files.readAllBytes(Path.of("/proc", Long.toString(handle.pid()), "environ"));
                return new String(environment, StandardCharsets.ISO_8859_1).contains(MARK + "=" + mark);
            } catch (IOException e) {
                return false;
            }
        });
    }
}
