package dev.holdfast.guard.local;

import dev.holdfast.guard.GuardConfig;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** How long a caller is kept waiting: as long as one probe may take, and a little. What takes longer goes on without it. */
interface CallerPatience {
    /** Nobody waits. */
    CallerPatience NONE = new CallerPatience() {
        @Override
        public boolean hasTime() {
            return false;
        }

        @Override
        public void pause() {}
    };

    /** Whether a pause and another look, as long as the last one, fit. */
    boolean hasTime();

    /** Waits until another look counts. */
    void pause() throws InterruptedException;

    /** Of a caller who waits from now on. */
    static CallerPatience of(GuardConfig config) {
        return new OfACaller(config);
    }

    /** Of a caller. */
    final class OfACaller implements CallerPatience {
        private static final Duration LITTLE = Duration.ofMillis(500);

        private final GuardConfig config;
        private final long start = System.nanoTime();
        private long lookedFrom = start;

        private OfACaller(GuardConfig config) {
            this.config = config;
        }

        @Override
        public boolean hasTime() {
            long now = System.nanoTime();
            long another = config.confirmationPause().toNanos() + (now - lookedFrom);
            return now - start + another
                    <= config.quickStatusTimeout().plus(LITTLE).toNanos();
        }

        @Override
        public void pause() throws InterruptedException {
            TimeUnit.NANOSECONDS.sleep(config.confirmationPause().toNanos());
            lookedFrom = System.nanoTime();
        }
    }
}
