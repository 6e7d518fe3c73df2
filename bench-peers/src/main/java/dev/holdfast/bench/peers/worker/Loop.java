package dev.holdfast.bench.peers.worker;

import dev.holdfast.bench.Load;
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
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Callers that do one thing again and again for a while, and what that cost. */
final class Loop {
    private static final int MAX_SAMPLES = 200_000;

    private final List<Long> servers;

    /** How often an action failed, and what was the matter the first time. */
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

    /** Beside these server processes, whose time is read too. */
    Loop(List<Long> servers) {
        this.servers = servers;
    }

    /** Runs this many callers, each with the action made for its number. The time is of whole actions, so it may be a little more. */
    Figures run(String label, int callers, Duration time, IntFunction<Load.Cycle> actions)
            throws InterruptedException, ExecutionException {
        ExecutorService pool = Executors.newFixedThreadPool(callers);
        try {
            Failures failures = new Failures();
            CountDownLatch go = new CountDownLatch(1);
            List<Future<long[]>> all = new ArrayList<>();
            for (int i = 0; i < callers; i++) {
                all.add(pool.submit(caller(actions.apply(i), go, time, MAX_SAMPLES / callers, failures)));
            }
            Meter meter = Meter.start(servers);
            go.countDown();
            long count = 0;
            List<long[]> samples = new ArrayList<>();
            for (Future<long[]> one : all) {
                long[] taken = one.get();
                count += taken[0];
                samples.add(Arrays.copyOfRange(taken, 1, 1 + (int) Math.min(taken[0], taken.length - 1)));
            }
            Figures figures = meter.read(label, (double) count);
            long[] sorted =
                    samples.stream().flatMapToLong(Arrays::stream).sorted().toArray();
            figures = figures.with(Figures.P50, micros(sorted, 0.5)).with(Figures.P99, micros(sorted, 0.99));
            long failed = failures.check(count);
            return failed == 0 ? figures : figures.with("failed", (double) failed);
        } finally {
            pool.shutdownNow();
        }
    }

    static double micros(long[] sorted, double share) {
        return Load.percentile(sorted, share).toNanos() / 1e3;
    }

    /** First element: how often. The rest: nanoseconds of the first times. */
    private static Callable<long[]> caller(
            Load.Cycle action, CountDownLatch go, Duration time, int samples, Failures failures) {
        return () -> {
            long[] taken = new long[samples + 1];
            go.await();
            long end = System.nanoTime() + time.toNanos();
            int count = 0;
            for (long before = System.nanoTime(); before - end < 0; before = System.nanoTime()) {
                try {
                    action.run();
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
}
