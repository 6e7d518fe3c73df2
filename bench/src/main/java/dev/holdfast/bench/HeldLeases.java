package dev.holdfast.bench;

import dev.holdfast.Attempt;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.model.LockKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** What it costs a process to keep many leases alive: memory, and processor time of its own. */
record HeldLeases(Report report, Duration time) {
    private static final int LEASES = 100_000;
    private static final int AT_ONCE = 1_000;
    private static final Duration LEASE = Duration.ofSeconds(30);
    /** With steps of three seconds: three rounds of renewals for the compiler, then three that count. */
    private static final int STEPS = 10;

    void measure(LockClient locks) throws Exception {
        long before = Load.usedMemory();
        List<Lease> held = take(locks);
        report.line(
                "memory, heap per held lease",
                (Load.usedMemory() - before) / (double) LEASES,
                "bytes in this process (goal under 2048)");
        Duration watched = time.multipliedBy(STEPS);
        TimeUnit.NANOSECONDS.sleep(watched.toNanos());
        double share = Load.coresUsed(watched);
        long valid = held.stream().filter(Lease::isValid).count();
        report.line(
                "memory, " + LEASES + " leases renewed every 10 s",
                share,
                "of a core in this process (goal under 0.1), " + valid + " valid after "
                        + watched.multipliedBy(2).toSeconds() + " s");
    }

    private static List<Lease> take(LockClient locks) {
        List<Lease> held = new ArrayList<>(LEASES);
        for (int from = 0; from < LEASES; from += AT_ONCE) {
            List<CompletableFuture<Attempt<Lease>>> asked = new ArrayList<>();
            for (int i = from; i < from + AT_ONCE; i++) {
                asked.add(locks.acquireAsync(LockKey.of("default", "held-" + i), o -> o.lease(LEASE))
                        .toCompletableFuture());
            }
            for (int i = 0; i < AT_ONCE; i++) {
                held.add(asked.get(i).join().orThrow());
            }
        }
        return held;
    }
}
