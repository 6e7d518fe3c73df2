package dev.holdfast.bench.peers.worker;

import dev.holdfast.bench.peers.contender.Contender;
import dev.holdfast.bench.peers.contender.Contender.Renewable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Renews leases by call, each caller its own: the words are how many callers, and milliseconds to warm up and to measure. */
record Renewals(Task task, Contender contender) {
    void run() throws Exception {
        int callers = task.number(0);
        Loop loop = new Loop(task.servers());
        List<Renewable> leases = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
            leases.add((Renewable) contender
                    .take("renewed-" + ProcessHandle.current().pid() + "-" + i, Duration.ofSeconds(30))
                    .orElseThrow());
        }
        loop.run("-", callers, Duration.ofMillis(task.number(1)), caller -> leases.get(caller)::renew);
        loop.run(callers + " callers", callers, Duration.ofMillis(task.number(2)), caller -> leases.get(caller)::renew)
                .print();
    }
}
