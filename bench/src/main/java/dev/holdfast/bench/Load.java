package dev.holdfast.bench;

import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Callers that take and release locks of their own as fast as they can. */
final class Load {
    /**
     * What a load reached.
     *
     * @param cycles acquire and release pairs per second
     * @param p50 median time of a cycle
     * @param p99 99th percentile
     */
    record Rate(double cycles, Duration p50, Duration p99) {
        /** Single operations per second: a cycle is two. */
        double operations() {
            return cycles * 2;
        }
    }

    private static final int MAX_SAMPLES = 200_000;

    private Load() {}

    /** Runs this many callers, each with a lock of its own, for this long after a warm-up of a third of it. */
    static Rate cycles(LockClient locks, int callers, Duration time) throws InterruptedException, ExecutionException {
        run(locks, callers, Duration.ofMillis(time.toMillis() / 3));
        return run(locks, callers, time);
    }

    private static Rate run(LockClient locks, int callers, Duration time)
            throws InterruptedException, ExecutionException {
        ExecutorService pool = Executors.newFixedThreadPool(callers);
        try {
            long start = System.nanoTime();
            long end = start + time.toNanos();
            List<Future<long[]>> all = new ArrayList<>();
            for (int i = 0; i < callers; i++) {
                String name = "load-" + i;
                all.add(pool.submit(caller(locks, name, end, MAX_SAMPLES / callers)));
            }
            return rate(all, start);
        } finally {
            pool.shutdownNow();
        }
    }

    /** First element: cycles done. The rest: nanoseconds of the first cycles. */
    private static Callable<long[]> caller(LockClient locks, String name, long end, int samples) {
        return () -> {
            long[] taken = new long[samples + 1];
            int count = 0;
            while (System.nanoTime() < end) {
                long before = System.nanoTime();
                try (Lease lease = locks.acquire(name)) {
                    lease.ensureValid();
                }
                count++;
                if (count <= samples) {
                    taken[count] = System.nanoTime() - before;
                }
            }
            taken[0] = count;
            return taken;
        };
    }

    private static Rate rate(List<Future<long[]>> all, long start) throws InterruptedException, ExecutionException {
        long count = 0;
        List<long[]> samples = new ArrayList<>();
        for (Future<long[]> one : all) {
            long[] taken = one.get();
            count += taken[0];
            samples.add(Arrays.copyOfRange(taken, 1, 1 + (int) Math.min(taken[0], taken.length - 1)));
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        long[] sorted = samples.stream().flatMapToLong(Arrays::stream).sorted().toArray();
        return new Rate(count / seconds, percentile(sorted, 0.5), percentile(sorted, 0.99));
    }

    static Duration percentile(long[] sorted, double share) {
        return sorted.length == 0 ? Duration.ZERO : Duration.ofNanos(sorted[(int) (share * (sorted.length - 1))]);
    }
}
