package dev.holdfast.bench.peers.worker;

import dev.holdfast.bench.Load;
import dev.holdfast.bench.peers.contender.Contender;
import dev.holdfast.bench.peers.contender.Contender.Held;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** How soon a fresh JVM has its first lock, and what many held locks cost it in memory. The word is how many locks. */
record HeldLocks(Task task, Contender contender) {
    void run() throws Exception {
        List<Held> held = new ArrayList<>();
        held.add(take(0));
        Figures figures = Figures.of("fresh process", Worker.START, Worker.millisSinceStart());
        for (int i = 1; i <= 100; i++) {
            held.add(take(i)); // what is made once is there then
        }
        int count = task.number(0);
        long before = Load.usedMemory();
        for (int i = 0; i < count; i++) {
            held.add(take(101 + i));
        }
        figures.with("heap_per_lock_bytes", (Load.usedMemory() - before) / (double) count)
                .print();
        if (held.size() != count + 101) {
            throw new IllegalStateException("some locks are missing");
        }
    }

    private Held take(int number) throws Exception {
        return contender
                .take("held-" + ProcessHandle.current().pid() + "-" + number, Duration.ofSeconds(10))
                .orElseThrow();
    }
}
