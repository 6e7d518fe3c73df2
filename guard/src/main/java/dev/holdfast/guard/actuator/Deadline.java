package dev.holdfast.guard.actuator;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The moment, on the monotonic clock, by which a call must be over. */
public record Deadline(long nanos) {
    public static Deadline in(Duration time) {
        return new Deadline(System.nanoTime() + time.toNanos());
    }

    /** How long is left; zero when it is over. */
    public Duration left() {
        return Duration.ofNanos(Math.max(0, nanos - System.nanoTime()));
    }

    public boolean over() {
        return nanos - System.nanoTime() <= 0;
    }

    /** Waits so long, or until it has come. Throws ActFailure when interrupted. */
    public void pause(Duration time) throws ActFailure {
        try {
            TimeUnit.NANOSECONDS.sleep(Math.min(time.toNanos(), left().toNanos()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ActFailure("interrupted while waiting; look at the resource's state before trying again", e);
        }
    }
}
