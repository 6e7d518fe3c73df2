package dev.holdfast.bench.peers;

import dev.holdfast.bench.peers.contender.ComparedLibrary;
import dev.holdfast.bench.peers.contender.ComparedLibrary.Server;
import dev.holdfast.bench.peers.report.Goals;
import dev.holdfast.bench.peers.report.Part;
import dev.holdfast.bench.peers.worker.Task;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A: each caller takes and releases a lock of its own. For each number of callers a fresh JVM, whose first seconds are <em>cold</em>; the last
 * of them goes on until it is warm, and then measures each number of callers.
 */
record UncontendedPart(Comparison run) {
    void once() throws InterruptedException {
        for (ComparedLibrary who : run.chosen(ComparedLibrary.uncontended())) {
            List<Integer> callers = run.plan().callers();
            // Cold elsewhere than on PostgreSQL: once is enough to see it, and saves a third of the time.
            int first = who.server() == Server.POSTGRES && who != ComparedLibrary.RAW_32 ? 0 : callers.size() - 1;
            for (int i = first; i < callers.size(); i++) {
                boolean last = i == callers.size() - 1;
                int count = callers.get(i);
                run.step(Part.UNCONTENDED, who.label() + ", " + count + " callers", () -> measure(who, count, last));
            }
        }
    }

    private void measure(ComparedLibrary who, int callers, boolean thenWarm)
            throws MissingPartException, IOException, InterruptedException {
        MeasurementPlan plan = run.plan();
        List<String> steps = new ArrayList<>();
        steps.add(Task.step(callers, plan.cold(), Goals.callers("cold", callers)));
        if (thenWarm) {
            // All numbers of callers, so that the compiler has seen what comes.
            for (int count : plan.callers()) {
                steps.add(
                        Task.step(count, plan.warmUp().dividedBy(plan.callers().size()), "-"));
            }
            for (int count : plan.callers()) {
                steps.add(Task.step(count, plan.window(), Goals.callers("warm", count)));
            }
        }
        run.measure(
                run.task(Task.Kind.CYCLES, who, Comparison.CONNECTIONS, steps.toArray()),
                label -> Comparison.row(Part.UNCONTENDED, label, who));
    }
}
