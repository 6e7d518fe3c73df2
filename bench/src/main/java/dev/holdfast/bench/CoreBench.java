package dev.holdfast.bench;

import dev.holdfast.Attempt;
import dev.holdfast.ClientConfig;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.engine.EngineConfig;
import dev.holdfast.jdbc.SqliteConfig;
import dev.holdfast.jdbc.SqliteStore;
import dev.holdfast.model.LockKey;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * The engine on the embedded stores and on PostgreSQL, beside what the disk and the server can do at all, in one run. Prints what was measured, as numbers
 * and as ratios with the goal beside them; it judges nothing.
 */
public final class CoreBench {
    private static final int MANY = 128;
    private static final int HAND_OVERS = 3_000;
    private static final int RECORD_BYTES = 700;

    /** What can be measured, in the order it is. */
    public static final List<String> PARTS = List.of("sqlite", "postgresql", "memory");

    private final Report report;
    private final Duration time;
    private final List<String> parts;

    /** Measures these of {@link #PARTS}, each step for this long, and prints to {@code out}. */
    public CoreBench(PrintWriter out, Duration time, List<String> parts) {
        this.report = new Report(out);
        this.time = time;
        this.parts = List.copyOf(parts);
    }

    /** Runs all steps in a temporary directory. */
    public void run() throws Exception {
        Path directory = Files.createTempDirectory("holdfast-bench");
        try {
            report.note(String.format(
                    "Java %s, %d cores, %s per step%n",
                    System.getProperty("java.version"), Runtime.getRuntime().availableProcessors(), time));
            for (String part : parts) {
                switch (part) {
                    case "sqlite" -> sqlite(directory);
                    case "postgresql" -> new PostgresBench(report, time).run();
                    default -> memory();
                }
            }
        } finally {
            delete(directory);
        }
    }

    // ---- the embedded store

    private void sqlite(Path directory) throws Exception {
        double bare = appends(directory.resolve("bare.log"));
        report.line("bare append + fsync, one writer", bare, "operations/s");
        try (LockClient locks = LockClient.on(
                SqliteStore.open(directory.resolve("locks.db"), SqliteConfig.exclusive("bench")),
                ClientConfig.DEFAULT)) {
            Load.Rate one = Load.cycles(locks, 1, time);
            report.line(
                    "sqlite, 1 caller, history on",
                    one.operations(),
                    "operations/s, cycle p50 " + Report.micros(one.p50()) + " p99 " + Report.micros(one.p99()));
            Load.Rate eight = Load.cycles(locks, 8, time);
            report.line("sqlite, 8 callers", eight.operations(), "operations/s");
            Load.Rate many = Load.cycles(locks, MANY, time);
            report.line(
                    "sqlite, " + MANY + " callers",
                    many.operations(),
                    "operations/s, cycle p50 " + Report.micros(many.p50()) + " p99 " + Report.micros(many.p99()));
            double bareAgain = appends(directory.resolve("bare.log"));
            report.ratio(
                    "sqlite 1 caller / bare append + fsync",
                    one.operations() / ((bare + bareAgain) / 2),
                    "0.8 or more");
            report.ratio("sqlite " + MANY + " callers / 1 caller", many.operations() / one.operations(), "10 or more");
        }
        ClientConfig quiet = ClientConfig.DEFAULT.withEngine(EngineConfig.DEFAULT.withHistory(false));
        try (LockClient locks = LockClient.on(
                SqliteStore.open(directory.resolve("quiet.db"), SqliteConfig.exclusive("bench")), quiet)) {
            Load.Rate one = Load.cycles(locks, 1, time);
            Load.Rate many = Load.cycles(locks, MANY, time);
            report.line("sqlite, 1 caller, history off", one.operations(), "operations/s");
            report.line("sqlite, " + MANY + " callers, history off", many.operations(), "operations/s");
            report.ratio("sqlite " + MANY + " / 1, history off", many.operations() / one.operations(), "10 or more");
        }
        report.note("");
    }

    private double appends(Path file) throws IOException {
        ByteBuffer record = ByteBuffer.allocate(RECORD_BYTES);
        try (FileChannel log = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            long count = 0;
            long start = System.nanoTime();
            long end = start + time.toNanos();
            while (System.nanoTime() < end) {
                record.rewind();
                log.write(record);
                log.force(false);
                count++;
            }
            return count / ((System.nanoTime() - start) / 1e9);
        }
    }

    // ---- the engine alone

    private void memory() throws Exception {
        try (LockClient locks = LockClient.connect("memory:")) {
            int cores = Runtime.getRuntime().availableProcessors();
            Load.cycles(locks, cores, time); // the compiler's share
            Load.Rate rate = Load.cycles(locks, cores, time);
            report.line(
                    "memory, " + cores + " callers",
                    rate.cycles(),
                    "cycles/s (goal 300 000 on 2 cores), p50 " + Report.micros(rate.p50()));
            long[] taken = handOvers(locks);
            report.line(
                    "memory, hand-over to a waiter",
                    Load.percentile(taken, 0.5).toNanos() / 1e3,
                    "us p50 (goal under 50), p99 " + Report.micros(Load.percentile(taken, 0.99)));
        }
        try (LockClient locks = LockClient.connect("memory:")) {
            new HeldLeases(report).measure(locks, "memory", "0.1");
        }
    }

    private static long[] handOvers(LockClient locks) throws Exception {
        LockKey key = LockKey.of("hand-over");
        long[] taken = new long[HAND_OVERS];
        for (int i = 0; i < HAND_OVERS; i++) {
            Lease first = locks.acquire(key, o -> {});
            CompletableFuture<Attempt<Lease>> next =
                    locks.acquireAsync(key, o -> o.wait(Duration.ofSeconds(10))).toCompletableFuture();
            while (locks.inspect().get(key).waiters().isEmpty()) {
                LockSupport.parkNanos(1_000);
            }
            CompletableFuture<Long> told = next.thenApply(attempt -> {
                long now = System.nanoTime();
                attempt.orThrow().close();
                return now;
            });
            long start = System.nanoTime();
            first.close();
            taken[i] = told.get() - start;
        }
        Arrays.sort(taken);
        return taken;
    }

    static void delete(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
