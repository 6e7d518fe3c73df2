package dev.holdfast.guard.local;

import dev.holdfast.guard.GuardConfig;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** How long a caller is kept waiting: as long as one probe may take, and a little. What takes longer goes on without it. */
final class CallerPatience {
    /** Nobody waits. */
    static final CallerPatience NONE = new CallerPatience(Duration.ofNanos(-1), Duration.ZERO);

    private static final Duration LITTLE = Duration.ofMillis(500);

    private final long limit;
    private final long pause;
    private final long start = System.nanoTime();
    private long lookedFrom = start;

    private CallerPatience(Duration limit, Duration pause) {
        this.limit = limit.toNanos();
        this.pause = pause.toNanos();
    }

    /** Of a caller who waits from now on. */
    static CallerPatience of(GuardConfig config) {
        return new CallerPatience(config.quickStatusTimeout().plus(LITTLE), config.confirmationPause());
    }

    /** Whether a pause and another look, as long as the last one, fit. */
    boolean hasTime() {
        long now = System.nanoTime();
        return now - start + pause + (now - lookedFrom) <= limit;
    }

    void pause() throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(pause);
        lookedFrom = System.nanoTime();
    }
}
