package dev.holdfast.guard;

import java.time.Duration;
import java.util.function.Consumer;

/** Settings of a guard: {@link #DEFAULT}, changed with the {@code with…} methods, which return a copy. Immutable; safe for any thread. */
public final class GuardConfig {
    public static final GuardConfig DEFAULT = new GuardConfig();

    private boolean sharedDbLockEnabled = true;
    private Duration lockTtl = Duration.ofSeconds(60);
    private int lockMaxRetries = 3;
    private Duration lockBackoff = Duration.ofMillis(250);
    private Duration quickStatusTimeout = Duration.ofSeconds(3);
    private int downConfirmations = 2;
    private Duration confirmationPause = Duration.ofSeconds(1);
    private Duration downAfter = Duration.ofMinutes(5);
    private Duration interval = Duration.ofSeconds(10);
    private Duration startingTimeout = Duration.ofMinutes(5);
    private Duration actTimeout = Duration.ofMinutes(2);
    private boolean restartIfNeeded = false;
    private boolean emojiLog = false;

    private GuardConfig() {}

    private GuardConfig with(Consumer<GuardConfig> change) {
        GuardConfig copy = new GuardConfig();
        copy.sharedDbLockEnabled = sharedDbLockEnabled;
        copy.lockTtl = lockTtl;
        copy.lockMaxRetries = lockMaxRetries;
        copy.lockBackoff = lockBackoff;
        copy.quickStatusTimeout = quickStatusTimeout;
        copy.downConfirmations = downConfirmations;
        copy.confirmationPause = confirmationPause;
        copy.downAfter = downAfter;
        copy.interval = interval;
        copy.startingTimeout = startingTimeout;
        copy.actTimeout = actTimeout;
        copy.restartIfNeeded = restartIfNeeded;
        copy.emojiLog = emojiLog;
        change.accept(copy);
        copy.check();
        return copy;
    }

    private void check() {
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

    public GuardConfig withSharedDbLockEnabled(boolean other) {
        return with(copy -> copy.sharedDbLockEnabled = other);
    }

    public GuardConfig withLockTtl(Duration other) {
        return with(copy -> copy.lockTtl = other);
    }

    public GuardConfig withLockMaxRetries(int other) {
        return with(copy -> copy.lockMaxRetries = other);
    }

    public GuardConfig withLockBackoff(Duration other) {
        return with(copy -> copy.lockBackoff = other);
    }

    public GuardConfig withQuickStatusTimeout(Duration other) {
        return with(copy -> copy.quickStatusTimeout = other);
    }

    public GuardConfig withDownConfirmations(int other) {
        return with(copy -> copy.downConfirmations = other);
    }

    public GuardConfig withConfirmationPause(Duration other) {
        return with(copy -> copy.confirmationPause = other);
    }

    public GuardConfig withDownAfter(Duration other) {
        return with(copy -> copy.downAfter = other);
    }

    public GuardConfig withInterval(Duration other) {
        return with(copy -> copy.interval = other);
    }

    public GuardConfig withStartingTimeout(Duration other) {
        return with(copy -> copy.startingTimeout = other);
    }

    public GuardConfig withActTimeout(Duration other) {
        return with(copy -> copy.actTimeout = other);
    }

    public GuardConfig withRestartIfNeeded(boolean other) {
        return with(copy -> copy.restartIfNeeded = other);
    }

    public GuardConfig withEmojiLog(boolean other) {
        return with(copy -> copy.emojiLog = other);
    }

    /** False: shadow mode; everything is decided and recorded, nothing is stopped. */
    public boolean sharedDbLockEnabled() {
        return sharedDbLockEnabled;
    }

    /** How long the lock of a resource outlives a guard that died. */
    public Duration lockTtl() {
        return lockTtl;
    }

    /** How often a stop or start asks again for a lock that is held. */
    public int lockMaxRetries() {
        return lockMaxRetries;
    }

    /** How long it waits at the first retry; twice as long at each further one, with random variation. */
    public Duration lockBackoff() {
        return lockBackoff;
    }

    /** How long an app may take to answer a probe. */
    public Duration quickStatusTimeout() {
        return quickStatusTimeout;
    }

    /** How often in a row an app must be seen down. */
    public int downConfirmations() {
        return downConfirmations;
    }

    /** How long after one look the next one counts. */
    public Duration confirmationPause() {
        return confirmationPause;
    }

    /** How long an app that nobody asked to stop must answer 5xx, and nothing else, to count as down. */
    public Duration downAfter() {
        return downAfter;
    }

    /** How often unfinished stops and starts are looked at again. */
    public Duration interval() {
        return interval;
    }

    /** How long an app that was told to start counts as starting without being seen up. */
    public Duration startingTimeout() {
        return startingTimeout;
    }

    public Duration actTimeout() {
        return actTimeout;
    }

    /** Whether a stopped resource is started when an app that uses it answers again. */
    public boolean restartIfNeeded() {
        return restartIfNeeded;
    }

    /** Whether lines of the decision log start with a symbol. */
    public boolean emojiLog() {
        return emojiLog;
    }

    /** After this long without a look, the count of probes that found an app down starts again. */
    public Duration confirmationWindow() {
        Duration longer = interval.compareTo(confirmationPause) > 0 ? interval : confirmationPause;
        return longer.multipliedBy(10).plus(quickStatusTimeout);
    }

    /** Probes of an app further apart than this say nothing about the time in between. */
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
