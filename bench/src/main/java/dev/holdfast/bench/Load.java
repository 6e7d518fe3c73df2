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
import java.util.function.IntFunction;
import java.util.stream.Stream;

/** Callers that take and release locks of their own as fast as they can. */
public final class Load {
    /**
     * What a load reached.
     *
     * @param cycles acquire and release pairs per second
     * @param p50 median time of a cycle
     * @param p99 99th percentile
     */
    public record Rate(double cycles, Duration p50, Duration p99) {
        /** How long it took, for the end of a line. */
        String times() {
            return " p50 " + Report.micros(p50) + " p99 " + Report.micros(p99);
        }

        /** Single operations per second: a cycle is two. */
        double operations() {
            return cycles * 2;
        }
    }

    private static final int TURNS = 6;
    private static final int MAX_SAMPLES = 200_000;

    private Load() {}

    /** What a caller does again and again. */
    public interface Cycle {
        void run() throws Exception;
    }

    /** Runs this many callers, each with a lock of its own, for this long after a warm-up of a third of it. */
    static Rate cycles(LockClient locks, int callers, Duration time) throws InterruptedException, ExecutionException {
        return cycles(locks(locks), callers, time);
    }

    /** Runs this many callers, each with the cycle made for its number, the same way. */
    static Rate cycles(IntFunction<Cycle> cycle, int callers, Duration time)
            throws InterruptedException, ExecutionException {
        run(cycle, callers, Duration.ofMillis(time.toMillis() / 3));
        return run(cycle, callers, time);
    }

    /**
     * Measures several loads in turns, a slice of the time each, so that a disk that slows down does so for all of them. The
     * first turn is for warming up.
     */
    static List<Rate> inTurns(List<IntFunction<Cycle>> loads, int callers, Duration time)
            throws InterruptedException, ExecutionException {
        Duration slice = Duration.ofMillis(time.toMillis() / TURNS);
        List<List<Rate>> measured = new ArrayList<>();
        loads.forEach(load -> measured.add(new ArrayList<>()));
        for (int turn = 0; turn <= TURNS; turn++) {
            for (int i = 0; i < loads.size(); i++) {
                Rate rate = run(loads.get(i), callers, slice);
                if (turn > 0) {
                    measured.get(i).add(rate);
                }
            }
        }
        return measured.stream().map(Load::mean).toList();
    }

    private static Rate mean(List<Rate> rates) {
        double cycles = rates.stream().mapToDouble(Rate::cycles).average().orElse(0);
        return new Rate(
                cycles,
                median(rates.stream().map(Rate::p50)),
                median(rates.stream().map(Rate::p99)));
    }

    private static Duration median(Stream<Duration> values) {
        List<Duration> sorted = values.sorted().toList();
        return sorted.get(sorted.size() / 2);
    }

    /** A caller that takes and releases the lock of its number. */
    static IntFunction<Cycle> locks(LockClient locks) {
        return caller -> takeAndRelease(locks, "load-" + caller);
    }

    private static Cycle takeAndRelease(LockClient locks, String name) {
        return () -> {
            try (Lease lease = locks.acquire(name)) {
                lease.ensureValid();
            }
        };
    }

    private static Rate run(IntFunction<Cycle> cycle, int callers, Duration time)
            throws InterruptedException, ExecutionException {
        ExecutorService pool = Executors.newFixedThreadPool(callers);
        try {
            long start = System.nanoTime();
            long end = start + time.toNanos();
            List<Future<long[]>> all = new ArrayList<>();
            for (int i = 0; i < callers; i++) {
                all.add(pool.submit(caller(cycle.apply(i), end, MAX_SAMPLES / callers)));
            }
            return rate(all, start);
        } finally {
            pool.shutdownNow();
        }
    }

    /** First element: cycles done. The rest: nanoseconds of the first cycles. */
    private static Callable<long[]> caller(Cycle cycle, long end, int samples) {
        return () -> {
            long[] taken = new long[samples + 1];
            int count = 0;
            while (System.nanoTime() < end) {
                long before = System.nanoTime();
                cycle.run();
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

    /** Bytes of this process, after a collection. */
    public static long usedMemory() {
        Runtime runtime = Runtime.getRuntime();
        for (int i = 0; i < 3; i++) {
            runtime.gc();
        }
        return runtime.totalMemory() - runtime.freeMemory();
    }

    /** What this share of the sorted samples is not above. */
    public static Duration percentile(long[] sorted, double share) {
        return sorted.length == 0 ? Duration.ZERO : Duration.ofNanos(sorted[(int) (share * (sorted.length - 1))]);
    }
}
