package dev.holdfast.guard.local;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** The threads of a guard. */
final class WorkThreads {
    /** What was interrupted only has to write down how far it came. */
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private WorkThreads() {}

    /** Interrupts the work, and waits until it has given back its locks; else they stay taken until their leases end. */
    static void end(ExecutorService work) {
        for (Runnable never : work.shutdownNow()) {
            if (never instanceof Future<?> result) {
                result.cancel(false); // or who waits for it would wait for ever
            }
        }
        try {
            var unused = work.awaitTermination(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
