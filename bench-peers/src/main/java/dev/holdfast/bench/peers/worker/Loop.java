package dev.holdfast.bench.peers.worker;

import dev.holdfast.bench.Load;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.function.IntFunction;

/** Loads, and what they cost this process and those of its servers. */
record Loop(List<Long> servers) {
    /** Runs this many callers, each with the action made for its number. */
    Figures run(String label, int callers, Duration time, IntFunction<Load.Cycle> actions)
            throws InterruptedException, ExecutionException {
        try (Load load = new Load(callers, time, actions)) {
            Meter meter = new Meter(servers);
            Load.Result done = load.run();
            Figures figures = meter.read(label, (double) done.count())
                    .with(Figures.P50, micros(done.sorted(), 0.5))
                    .with(Figures.P99, micros(done.sorted(), 0.99));
            return done.failed() == 0 ? figures : figures.with("failed", (double) done.failed());
        }
    }

    static double micros(long[] sorted, double share) {
        return Load.percentile(sorted, share).toNanos() / 1e3;
    }
}
