package dev.holdfast.bench;

import dev.holdfast.Attempt;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.model.LockKey;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import picocli.CommandLine.Command;

/** {@code holdfast bench core}: the engine alone. On stores and beside other libraries {@code bench peers} and {@code growth} measure it. */
@Command(
        name = "core",
        description =
                "Locks per second of the engine alone, hand-overs, and what a held lease costs. Takes about two minutes."
                        + " On stores, beside bare loops and other libraries: holdfast bench peers, and holdfast bench growth.")
final class CoreBench extends Bench {
    private static final int HAND_OVERS = 3_000;

    CoreBench() {
        super(3, List.of("memory"));
    }

    @Override
    void run(String part, Path directory) throws Exception {
        Report report = report();
        Duration time = time();
        try (LockClient locks = LockClient.connect("memory:")) {
            int cores = Runtime.getRuntime().availableProcessors();
            cycles(locks, cores, time); // the compiler's share
            Load.Result done = cycles(locks, cores, time);
            report.line(
                    "memory, " + cores + " callers",
                    done.count() / (time.toNanos() / 1e9),
                    "cycles/s (goal 300 000 on 2 cores), p50 " + Report.micros(Load.percentile(done.sorted(), 0.5)));
            long[] taken = handOvers(locks);
            report.line(
                    "memory, hand-over to a waiter",
                    Load.percentile(taken, 0.5).toNanos() / 1e3,
                    "us p50 (goal under 50), p99 " + Report.micros(Load.percentile(taken, 0.99)));
        }
        try (LockClient locks = LockClient.connect("memory:")) {
            new HeldLeases(report, time).measure(locks);
        }
    }

    private static Load.Result cycles(LockClient locks, int callers, Duration time) throws Exception {
        IntFunction<Load.Cycle> own =
                caller -> () -> locks.acquire("load-" + caller).close();
        try (Load load = new Load(callers, time, own)) {
            return load.run();
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
