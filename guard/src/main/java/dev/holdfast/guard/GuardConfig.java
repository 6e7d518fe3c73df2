package dev.holdfast.guard;

import java.time.Duration;

/**
 * Settings of a guard.
 *
 * @param sharedDbLockEnabled false: shadow mode; everything is decided and recorded, nothing is stopped
 * @param lockTtl how long the lock of a resource outlives a guard that died
 * @param lockMaxRetries how often a stop or start asks again for a lock that is held
 * @param lockBackoff how long it waits at the first retry; twice as long at each further one, more or less by chance
 * @param quickStatusTimeout how long an app may take to answer a probe
 * @param downConfirmations how often in a row an app must be seen down
 * @param confirmationPause how long after one look the next one counts
 * @param downAfter how long an app that nobody asked to stop must answer 5xx, and nothing else, to count as down
 * @param interval how often unfinished stops and starts are looked at again
 * @param startingTimeout how long an app that was told to start counts as starting without being seen up
 * @param actTimeout how long an actuator may take
 * @param restartIfNeeded whether a stopped resource is started when an app that uses it answers again
 * @param emojiLog whether lines of the decision log start with a symbol
 */
public record GuardConfig(
        boolean sharedDbLockEnabled,
        Duration lockTtl,
        int lockMaxRetries,
        Duration lockBackoff,
        Duration quickStatusTimeout,
        int downConfirmations,
        Duration confirmationPause,
        Duration downAfter,
        Duration interval,
        Duration startingTimeout,
        Duration actTimeout,
        boolean restartIfNeeded,
        boolean emojiLog) {

    public static final GuardConfig DEFAULT = new GuardConfig(
            true,
            Duration.ofSeconds(60),
            3,
            Duration.ofMillis(250),
            Duration.ofSeconds(3),
            2,
            Duration.ofSeconds(1),
            Duration.ofMinutes(5),
            Duration.ofSeconds(10),
            Duration.ofMinutes(5),
            Duration.ofMinutes(2),
            false,
            false);

    public GuardConfig {
        between("lock_ttl_seconds", lockTtl, Duration.ofMillis(100), Duration.ofHours(1));
        between("lock_max_retries", lockMaxRetries, 0, 100);
        between("lock_backoff", lockBackoff, Duration.ofMillis(1), Duration.ofMinutes(1));
        between("quick_status_timeout", quickStatusTimeout, Duration.ofMillis(10), Duration.ofMinutes(1));
        between("down_confirmations", downConfirmations, 1, 100);
        between("confirmation_pause", confirmationPause, Duration.ZERO, Duration.ofMinutes(10));
        between("down_after", downAfter, Duration.ZERO, HealthCheck.MAX_DOWN_AFTER);
        between("interval", interval, Duration.ofMillis(10), Duration.ofHours(1));
        between("starting_timeout", startingTimeout, Duration.ofMillis(10), Duration.ofDays(1));
        between("act_timeout", actTimeout, Duration.ofMillis(10), Duration.ofHours(1));
    }

    /** After this long without a look, the count of looks that found an app down starts anew. */
    public Duration confirmationWindow() {
        Duration longer = interval.compareTo(confirmationPause) > 0 ? interval : confirmationPause;
        return longer.multipliedBy(10).plus(quickStatusTimeout);
    }

    /** Looks at an app further apart than this say nothing about the time in between. */
    public Duration longestGap() {
        return interval.multipliedBy(3).plus(quickStatusTimeout);
    }

    private static <T extends Comparable<T>> void between(String name, T value, T least, T most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(
                    "guard setting " + name + " must be between " + least + " and " + most + ", was " + value);
        }
    }
}
