package dev.holdfast.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Callers that do one thing again and again for a while, and how often and how fast they did it. */
public final class Load implements AutoCloseable {
    /** What a load reached: acquire and release pairs or requests per second, and times of one at the median and 99th percentile. */
    public record Rate(double cycles, Duration p50, Duration p99) {
        /** How long it took, for the end of a line. */
        String times() {
            return " p50 " + Report.micros(p50) + " p99 " + Report.micros(p99);
        }
    }

    /** What a caller does again and again. */
    public interface Cycle {
        void run() throws Exception;
    }

    /** How often it was done, how often it failed (less often than not), and the nanoseconds of the first times, sorted. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Result(long count, long failed, long[] sorted) {}

    private static final int MAX_SAMPLES = 200_000;

    private final ExecutorService pool;
    private final List<Future<long[]>> callers = new ArrayList<>();
    private final CountDownLatch go = new CountDownLatch(1);
    private final Failures failures = new Failures();

    /** How often a cycle failed, and what was the matter the first time. */
    private static final class Failures {
        private long count;
        private @Nullable Exception first;

        synchronized void add(Exception failure) {
            count++;
            if (first == null) {
                first = failure;
            }
        }

        /** Some are part of the measurement; mostly failures are none. */
        synchronized long check(long done) {
            if (count > done && first != null) {
                throw new IllegalStateException(count + " failed and " + done + " did not: " + first, first);
            }
            return count;
        }
    }

    /** This many callers, ready to begin, each with the cycle made for its number. The time is of whole cycles, so it may be a little more. */
    public Load(int callers, Duration time, IntFunction<Cycle> cycles) {
        pool = Executors.newFixedThreadPool(callers);
        for (int i = 0; i < callers; i++) {
            this.callers.add(pool.submit(caller(cycles.apply(i), time, MAX_SAMPLES / callers)));
        }
    }

    /** Lets them begin and waits for their end. */
    public Result run() throws InterruptedException, ExecutionException {
        go.countDown();
        long count = 0;
        List<long[]> samples = new ArrayList<>();
        for (Future<long[]> one : callers) {
            long[] taken = one.get();
            count += taken[0];
            samples.add(Arrays.copyOfRange(taken, 1, 1 + (int) Math.min(taken[0], taken.length - 1)));
        }
        long[] sorted = samples.stream().flatMapToLong(Arrays::stream).sorted().toArray();
        return new Result(count, failures.check(count), sorted);
    }

    /** First element: how often. The rest: nanoseconds of the first times. */
    private Callable<long[]> caller(Cycle cycle, Duration time, int samples) {
        return () -> {
            long[] taken = new long[samples + 1];
            go.await();
            long end = System.nanoTime() + time.toNanos();
            int count = 0;
            for (long before = System.nanoTime(); before - end < 0; before = System.nanoTime()) {
                try {
                    cycle.run();
                } catch (InterruptedException e) {
                    throw e;
                } catch (Exception e) {
                    failures.add(e);
                    continue;
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

    @Override
    public void close() {
        pool.shutdownNow();
    }

    /** Bytes of this process, after a collection. */
    public static long usedMemory() {
        Runtime runtime = Runtime.getRuntime();
        for (int i = 0; i < 3; i++) {
            runtime.gc();
        }
        return runtime.totalMemory() - runtime.freeMemory();
    }

    /** How much of a core this process uses during this time. */
    public static double coresUsed(Duration time) throws InterruptedException {
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long used = system.getProcessCpuTime();
        long start = System.nanoTime();
        TimeUnit.NANOSECONDS.sleep(time.toNanos());
        return (system.getProcessCpuTime() - used) / (double) (System.nanoTime() - start);
    }

    /** What this share of the sorted samples is not above. */
    public static Duration percentile(long[] sorted, double share) {
        return sorted.length == 0 ? Duration.ZERO : Duration.ofNanos(sorted[(int) (share * (sorted.length - 1))]);
    }
}
