package dev.holdfast.bench;

import dev.holdfast.Attempt;
import dev.holdfast.ClientConfig;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.jdbc.SqliteConfig;
import dev.holdfast.jdbc.SqliteStore;
import dev.holdfast.model.LockKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;

/** {@code holdfast bench core}: the engine, beside what the disk and the server can do at all. */
@Command(
        name = "core",
        description = "Locks per second on SQLite, PostgreSQL and in memory, beside bare loops on the same disk and"
                + " server, as ratios. Starts a PostgreSQL server of its own; all of it takes about ten minutes.")
final class CoreBench extends Bench {
    private static final int MANY = 128;
    private static final int HAND_OVERS = 3_000;
    private static final int RECORD_BYTES = 700;

    CoreBench() {
        super(3, List.of("sqlite", "postgresql", "memory"));
    }

    @Override
    void run(String part, Path directory) throws Exception {
        switch (part) {
            case "sqlite" -> sqlite(directory, report(), time());
            case "postgresql" -> new PostgresBench(report(), time()).run();
            default -> memory(report(), time());
        }
    }

    // ---- the embedded store

    private static void sqlite(Path directory, Report report, Duration time) throws Exception {
        double bare = appends(directory.resolve("bare.log"), time);
        report.line("bare append + fsync, one writer", bare, "operations/s");
        try (LockClient locks = LockClient.on(
                SqliteStore.open(directory.resolve("locks.db"), SqliteConfig.exclusive("bench")),
                ClientConfig.DEFAULT)) {
            Load.Rate one = Load.cycles(locks, 1, time);
            report.line("sqlite, 1 caller, history on", one.operations(), "operations/s, cycle" + one.times());
            Load.Rate eight = Load.cycles(locks, 8, time);
            report.line("sqlite, 8 callers", eight.operations(), "operations/s");
            Load.Rate many = Load.cycles(locks, MANY, time);
            report.line("sqlite, " + MANY + " callers", many.operations(), "operations/s, cycle" + many.times());
            double bareAgain = appends(directory.resolve("bare.log"), time);
            report.ratio(
                    "sqlite 1 caller / bare append + fsync",
                    one.operations() / ((bare + bareAgain) / 2),
                    "0.8 or more");
            report.ratio("sqlite " + MANY + " callers / 1 caller", many.operations() / one.operations(), "10 or more");
        }
        ClientConfig quiet = ClientConfig.DEFAULT.withHistory(false);
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

    private static double appends(Path file, Duration time) throws IOException {
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

    private static void memory(Report report, Duration time) throws Exception {
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
            new HeldLeases(report, time).measure(locks, "memory", "0.1");
        }
    }

    private static long[] handOvers(LockClient locks) throws Exception {
        LockKey key = LockKey.of("default", "hand-over");
        long[] taken = new long[HAND_OVERS];
        for (int i = 0; i < HAND_OVERS; i++) {
            Lease first = locks.acquire(key, o -> {});
            CompletableFuture<Attempt<Lease>> next = locks.acquireAsync(key, o -> o.waitUpTo(Duration.ofSeconds(10)))
                    .toCompletableFuture();
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
}
