package dev.holdfast.guard.local;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;

/** Waits until interrupted work has given back its locks; else they stay taken until their leases end. */
final class ExecutorShutdown {
    /** What was interrupted only has to write down how far it came. */
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private ExecutorShutdown() {}

    static void await(ExecutorService work) {
        try {
            if (!work.awaitTermination(LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
                work.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
