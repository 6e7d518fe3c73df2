package dev.holdfast.s3;

import dev.holdfast.ClientConfig;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockClient;
import dev.holdfast.testkit.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A process of its own that takes a lock again and again. Under it, it reads a number from a file, looks at its lease, stores the next
 * number, and adds its token to a journal; then it says {@code turn}. Two who did so at once would lose a number or have their
 * tokens in the wrong order.
 */
final class Worker implements AutoCloseable {
    private static final Duration LEASE = Duration.ofSeconds(3);
    /** A test waits for each look of each process. */
    private static final Duration POLL = Duration.ofMillis(100);

    private static final Duration WAIT = Duration.ofMinutes(2);

    private final Process process;
    private final List<String> said = new CopyOnWriteArrayList<>();

    private Worker(Process process) {
        this.process = process;
        Thread reader = new Thread(this::listen, "output of " + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    /** Starts one that takes this many turns. */
    static Worker start(String url, Path directory, int turns) throws IOException {
        ProcessBuilder java = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xmx96m",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                Worker.class.getName(),
                url,
                directory.toString(),
                Integer.toString(turns));
        java.environment().put("AWS_ACCESS_KEY_ID", "test");
        java.environment().put("AWS_SECRET_ACCESS_KEY", "test");
        return new Worker(java.redirectErrorStream(true).start());
    }

    private void listen() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            lines.lines().forEach(said::add);
        } catch (IOException | RuntimeException e) {
            said.add("its output broke: " + e.getMessage());
        }
    }

    int turns() {
        return (int) said.stream().filter("turn"::equals).count();
    }

    /** Waits until it has taken this many turns, as long as it goes on. */
    void awaitTurns(int count) {
        for (int before = turns(); before < count; before = turns()) {
            int seen = before;
            Await.until("one more turn than " + seen + "; it said " + said, () -> turns() > seen);
        }
    }

    void awaitEnd() {
        process.onExit().join();
    }

    /** Ends it as a power cut would. */
    @Override
    public void close() {
        process.toHandle().destroyForcibly();
        process.onExit().join();
    }

    // ---- in the other process

    public static void main(String[] args) throws Exception {
        Path number = Path.of(args[1], "number");
        Path journal = Path.of(args[1], "journal");
        int turns = Integer.parseInt(args[2]);
        S3Config config = S3Config.DEFAULT.withPollInterval(POLL);
        try (LockClient locks = LockClient.on(S3Store.open(args[0], config), ClientConfig.DEFAULT)) {
            while (turns > 0) {
                try (Lease lease = locks.acquire("counter", o -> o.lease(LEASE).wait(WAIT))) {
                    long next = Long.parseLong(Files.readString(number)) + 1;
                    lease.ensureValid();
                    Files.writeString(number, Long.toString(next), StandardOpenOption.DSYNC);
                    Files.writeString(journal, lease.token().value() + "\n", StandardOpenOption.APPEND);
                    System.out.println("turn");
                    turns--;
                } catch (LeaseLostException e) {
                    System.out.println("lost: " + e.reason()); // on a crowded machine; nothing was written
                }
            }
        }
    }
}
