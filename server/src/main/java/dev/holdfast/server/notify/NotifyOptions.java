package dev.holdfast.server.notify;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Who is told, and how patiently.
 *
 * @param waitsLongerThan from when on a wait is told
 * @param timeout how long a receiver may take
 * @param giveUpAfter how old something may become before it is no longer sent
 */
public record NotifyOptions(
        List<Webhook> webhooks, Duration waitsLongerThan, Duration timeout, Duration giveUpAfter, Pace pace) {
    public static final NotifyOptions NONE = new NotifyOptions(
            List.of(), Duration.ofMinutes(10), Duration.ofSeconds(10), Duration.ofHours(24), Pace.USUAL);

    public NotifyOptions {
        webhooks = List.copyOf(webhooks);
    }

    public NotifyOptions at(Pace other) {
        return new NotifyOptions(webhooks, waitsLongerThan, timeout, giveUpAfter, other);
    }

    /**
     * How often the sender looks and tries.
     *
     * @param poll between two looks at the log while nothing is there
     * @param look between two looks through the locks in use
     * @param firstRetry before a delivery is tried the second time; twice as long before each further one
     * @param longestRetry at most
     * @param ask between two attempts of a replica to become the sender
     * @param lease how long the lock of the sender outlives it
     */
    public record Pace(
            Duration poll, Duration look, Duration firstRetry, Duration longestRetry, Duration ask, Duration lease) {
        /** Where looking costs nothing to speak of. */
        public static final Pace USUAL = new Pace(
                Duration.ofSeconds(1),
                Duration.ofSeconds(10),
                Duration.ofSeconds(1),
                Duration.ofMinutes(5),
                Duration.ofSeconds(5),
                Duration.ofSeconds(30));

        /** Where each look costs money. */
        public static final Pace SPARING = new Pace(
                Duration.ofSeconds(10),
                Duration.ofMinutes(1),
                Duration.ofSeconds(1),
                Duration.ofMinutes(5),
                Duration.ofSeconds(30),
                Duration.ofSeconds(90));

        /**
         * How long to wait before a delivery that was not taken is tried again: longer each time, and not until the same moment as others.
         *
         * @param attempts made so far, at least one
         * @param asked what the receiver asked for; not less than that
         */
        Duration retryAfter(int attempts, Optional<Duration> asked, RandomGenerator random) {
            long doubled = firstRetry.toMillis() << Math.min(attempts - 1, 20);
            long most = Math.min(doubled, longestRetry.toMillis());
            Duration own = Duration.ofMillis(most / 2 + random.nextLong(most / 2 + 1));
            return asked.filter(time -> time.compareTo(own) > 0).orElse(own);
        }
    }
}
