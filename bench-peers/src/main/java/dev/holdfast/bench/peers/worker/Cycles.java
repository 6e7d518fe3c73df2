package dev.holdfast.bench.peers.worker;

import dev.holdfast.bench.Load;
import dev.holdfast.bench.peers.contender.Contender;
import java.time.Duration;

/**
 * Takes and releases, each caller a lock of its own. The words are steps in order, {@code CALLERSxMILLIS:LABEL}; one labelled {@code -} only
 * warms up.
 */
record Cycles(Task task, Contender contender) {
    private static final Duration WAIT = Duration.ofSeconds(30);

    void run() throws Exception {
        Loop loop = new Loop(task.servers());
        for (String step : task.words()) {
            int cross = step.indexOf('x');
            int colon = step.indexOf(':');
            int callers = Integer.parseInt(step, 0, cross, 10);
            Duration time = Duration.ofMillis(Integer.parseInt(step, cross + 1, colon, 10));
            Figures figures = loop.run(step.substring(colon + 1), callers, time, this::cycle);
            if (!step.endsWith(":-")) {
                figures.print();
            }
        }
    }

    private Load.Cycle cycle(int caller) {
        // Nobody's who was here before: what a killed process left held would be waited for.
        String name = "load-" + ProcessHandle.current().pid() + "-" + caller;
        return () -> contender
                .take(name, WAIT)
                .orElseThrow(() -> new IllegalStateException("its own lock is busy"))
                .release();
    }
}
