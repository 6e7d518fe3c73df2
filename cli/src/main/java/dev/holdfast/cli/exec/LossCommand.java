package dev.holdfast.cli.exec;

import dev.holdfast.Lease;
import dev.holdfast.model.LostReason;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** What {@code --on-lost} runs. It changes no exit code: that the lock was lost is what has to be told. */
record LossCommand(String line, PrintWriter err) {
    private static final Duration LONGEST = Duration.ofSeconds(30);

    /** Runs it to its end, until a signal comes, or as long as it may take. */
    void run(Lease lease, LostReason reason, Map<String, Optional<String>> variables, SignalRelay signals)
            throws InterruptedException {
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", line).inheritIO();
        ChildProcess.tell(builder.environment(), lease, variables);
        builder.environment().put("HOLDFAST_LOST_REASON", reason.name().toLowerCase(Locale.ROOT));
        try {
            Process process = builder.start();
            signals.childEnded();
            signals.whileWaiting(() -> end(process));
            if (!process.waitFor(LONGEST.toMillis(), TimeUnit.MILLISECONDS)) {
                end(process);
                err.println("holdfast: the command of --on-lost did not end within " + LONGEST.toSeconds()
                        + "s and was killed");
            } else if (process.exitValue() != 0) {
                err.println("holdfast: the command of --on-lost ended with " + process.exitValue());
            }
        } catch (IOException e) {
            err.println("holdfast: the command of --on-lost cannot be run: there is no sh");
        }
    }

    private static void end(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
