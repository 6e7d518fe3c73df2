package dev.holdfast.guard;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** How long a caller is kept waiting: as long as one probe may take, and a little. What takes longer goes on without it. */
final class Patience {
    private static final Duration LITTLE = Duration.ofMillis(500);

    private final GuardConfig config;
    private final long start = System.nanoTime();
    private long lookedFrom = start;

    Patience(GuardConfig config) {
        this.config = config;
    }

    /** Whether a pause and another look, as long as the last one, fit. */
    boolean hasTime() {
        long now = System.nanoTime();
        long another = config.confirmationPause().toNanos() + (now - lookedFrom);
        return now - start + another <= config.quickStatusTimeout().plus(LITTLE).toNanos();
    }

    void pause() throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(config.confirmationPause().toNanos());
        lookedFrom = System.nanoTime();
    }
}
