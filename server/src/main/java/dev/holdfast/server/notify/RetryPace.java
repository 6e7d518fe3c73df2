package dev.holdfast.server.notify;

import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** When a delivery that was not taken is tried again: later each time, up to a limit, and not at the same moment as others. */
record RetryPace(Duration first, Duration longest) {
    /**
     * How long to wait.
     *
     * @param attempts made so far, at least one
     * @param asked what the receiver asked for; not less than that
     */
    Duration after(int attempts, Optional<Duration> asked, RandomGenerator random) {
        long doubled = first.toMillis() << Math.min(attempts - 1, 20);
        long most = Math.min(doubled, longest.toMillis());
        Duration own = Duration.ofMillis(most / 2 + random.nextLong(most / 2 + 1));
        return asked.filter(time -> time.compareTo(own) > 0).orElse(own);
    }
}
