package dev.holdfast.bench.peers.worker;

import com.zaxxer.hikari.HikariDataSource;
import dev.holdfast.Attempt;
import dev.holdfast.ClientConfig;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.bench.Load;
import dev.holdfast.bench.peers.contender.RawUpserts;
import dev.holdfast.jdbc.PostgresConfig;
import dev.holdfast.jdbc.PostgresStore;
import dev.holdfast.model.LockKey;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/**
 * Ours on PostgreSQL with more and more of everything. {@code RECORDS}: cycles on locks among many records; the words are how many records,
 * how many callers, milliseconds to warm up and to measure. {@code WAITERS}: many waiters, drained one by one; the words are how many keys,
 * how many waiters on each, and milliseconds to warm up. With {@code RECORDS} and the first word {@code held}: many held leases; the words are how many, and for how many
 * milliseconds they are watched.
 */
record Growth(Task task) {
    private static final int WORKING_SET = 1_000;
    private static final int AT_ONCE = 1_000;
    private static final int WARM_CALLERS = 32;
    private static final Duration WAIT = Duration.ofMinutes(10);

    void run() throws Exception {
        try (HikariDataSource pool = RawUpserts.pool(task.address(), task.connections());
                LockClient locks = LockClient.on(
                        PostgresStore.open(pool, PostgresConfig.DEFAULT),
                        ClientConfig.DEFAULT.withNamespace("growth").withWaiters(100_000, 1_000_000))) {
            if (task.kind() == Task.Kind.WAITERS) {
                warmUp(locks, Duration.ofMillis(task.number(2)));
                waiters(locks, task.number(0), task.number(1));
            } else if (task.words().get(0).equals("held")) {
                held(locks, task.number(1), Duration.ofMillis(task.number(2)));
            } else {
                records(locks);
            }
        }
    }

    private void records(LockClient locks) throws Exception {
        int records = task.number(0);
        int callers = task.number(1);
        int used = Math.min(records, WORKING_SET);
        Loop loop = new Loop(task.servers());
        // Spread over all of them: the working set is the same size each time, but not the same pages.
        long step = Math.max(1, records / used);
        IntFunction<Load.Cycle> any = caller ->
                () -> locks.acquire("size-" + ThreadLocalRandom.current().nextInt(used) * step)
                        .close();
        loop.run("-", callers, Duration.ofMillis(task.number(2)), any);
        loop.run(records + " records", callers, Duration.ofMillis(task.number(3)), any)
                .print();
    }

    // ---- waiters

    private void warmUp(LockClient locks, Duration time) throws Exception {
        new Loop(task.servers())
                .run(
                        "-",
                        WARM_CALLERS,
                        time,
                        caller -> () -> locks.acquire("warm-" + caller % (WARM_CALLERS / 4))
                                .close());
    }

    /** Who waits is told, goes at once, and the next is told; as many at a time as there are keys. */
    private void waiters(LockClient locks, int keys, int perKey) throws Exception {
        List<Lease> first = new ArrayList<>();
        List<CompletableFuture<Long>> turns = new ArrayList<>();
        String run = "waited-" + ProcessHandle.current().pid() + "-";
        for (int i = 0; i < keys; i++) {
            first.add(locks.acquire(LockKey.of("growth", run + i), o -> {}));
        }
        Meter queueing = new Meter(task.servers());
        for (int waiter = 0; waiter < perKey; waiter++) {
            for (int i = 0; i < keys; i++) {
                turns.add(locks.acquireAsync(LockKey.of("growth", run + i), o -> o.waitUpTo(WAIT))
                        .thenCompose(Growth::turn));
            }
        }
        // The last of each key has its place when it is seen there, or far enough behind that its place is not stored.
        locks.inspect().get(LockKey.of("growth", run + (keys - 1)));
        Figures queued = queueing.read("-", turns.size());
        Meter draining = new Meter(task.servers());
        first.forEach(Lease::close);
        long[] ended = new long[turns.size()];
        for (int i = 0; i < ended.length; i++) {
            ended[i] = turns.get(i).get(WAIT.toSeconds(), TimeUnit.SECONDS);
        }
        Figures drained = draining.read(
                keys == 1 ? perKey + " waiters on one key" : keys * perKey + " waiters on " + keys + " keys",
                ended.length);
        drained.with("queued_rate", queued.value(Figures.RATE))
                .with(Figures.P50, keys == 1 ? between(ended) : Double.NaN)
                .print();
    }

    private static CompletableFuture<Long> turn(Attempt<Lease> attempt) {
        long had = System.nanoTime();
        return attempt.orThrow().releaseAsync().thenApply(released -> had);
    }

    private static double between(long[] ended) {
        if (ended.length < 2) {
            return Double.NaN; // nobody came after
        }
        long[] sorted = Arrays.stream(ended).sorted().toArray();
        long[] gaps = new long[sorted.length - 1];
        for (int i = 1; i < sorted.length; i++) {
            gaps[i - 1] = sorted[i] - sorted[i - 1];
        }
        Arrays.sort(gaps);
        return Loop.micros(gaps, 0.5);
    }

    // ---- held leases

    private void held(LockClient locks, int count, Duration watched) throws Exception {
        Deque<CompletableFuture<Attempt<Lease>>> asked = new ArrayDeque<>();
        List<Lease> all = new ArrayList<>(count);
        long before = Load.usedMemory();
        for (int i = 0; i < count; i++) {
            asked.add(locks.acquireAsync("held-" + i, o -> o.lease(Duration.ofMinutes(5))));
            if (asked.size() == AT_ONCE) {
                all.add(asked.remove().join().orThrow());
            }
        }
        while (!asked.isEmpty()) {
            all.add(asked.remove().join().orThrow());
        }
        double heap = (Load.usedMemory() - before) / (1024.0 * 1024);
        double cores = Load.coresUsed(watched);
        long valid = all.stream().filter(Lease::isValid).count();
        if (valid != count) {
            throw new IllegalStateException(count - valid + " of " + count + " leases were lost");
        }
        Figures.of(count + " held leases of 5 min", "heap_mb", heap)
                .with("cores", cores)
                .print();
    }
}
