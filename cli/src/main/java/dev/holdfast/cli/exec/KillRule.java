package dev.holdfast.cli.exec;

import dev.holdfast.model.Terms;
import java.time.Duration;

/**
 * When a child is stopped because its lease cannot be renewed: so early that it has {@code --kill-after} to end by itself,
 * and that whatever is left is killed before the lease ends.
 *
 * <p>With a lease of 30 s, renewed every 10 s, and 10 s to end: a renewal that succeeds within 18 s of the last one changes
 * nothing, so one that is slow or fails is forgiven for 8 s. After 18 s the child gets {@code TERM}, after 28 s {@code KILL},
 * and after 30 s another may have the lock.
 *
 * <pre>
 *   0 s          10 s                18.35 s                    28.35 s   29.85 s  30 s
 *   last good    next renewal,      TERM                        KILL      trusted  the store
 *   renewal      tried again ...    remaining = kill-after+margin  margin  until    frees it
 * </pre>
 *
 * @param lease length of the lease
 * @param killAfter how long the child has to end by itself
 */
public record KillRule(Duration lease, Duration killAfter) {
    static final Duration DEFAULT_KILL_AFTER = Duration.ofSeconds(10);

    /** Killing takes no longer than this, even on a busy machine; more would only shorten the patience with the store. */
    private static final Duration MAX_MARGIN = Duration.ofSeconds(2);

    public KillRule {
        Terms.lease(lease);
        // Renewals come at a third of the lease. Beyond a half, one slow renewal would end the child.
        if (killAfter.isNegative() || killAfter.compareTo(lease.dividedBy(2)) > 0) {
            throw new IllegalArgumentException("--kill-after " + shown(killAfter) + " is more than half of --lease "
                    + shown(lease) + ": the child would be stopped before a renewal had a chance. Use --lease "
                    + shown(killAfter.multipliedBy(2)) + " or longer, or --kill-after "
                    + shown(lease.dividedBy(2)) + " or shorter");
        }
    }

    /** The rule with the usual time to end: 10 s, or a third of a shorter lease. */
    public static KillRule of(Duration lease) {
        Duration third = lease.dividedBy(3);
        return new KillRule(lease, third.compareTo(DEFAULT_KILL_AFTER) < 0 ? third : DEFAULT_KILL_AFTER);
    }

    /** What is kept between the kill and the end of the lease. */
    Duration margin() {
        Duration part = lease.dividedBy(20);
        return part.compareTo(MAX_MARGIN) < 0 ? part : MAX_MARGIN;
    }

    /** Whether the child must be told to end, with this much left of the lease if no renewal succeeds. */
    boolean mustTell(Duration remaining) {
        return remaining.compareTo(killAfter.plus(margin())) <= 0;
    }

    boolean mustKill(Duration remaining) {
        return remaining.compareTo(margin()) <= 0;
    }

    /** How long until {@link #mustTell} can become true. */
    Duration untilTold(Duration remaining) {
        Duration left = remaining.minus(killAfter).minus(margin());
        return left.isNegative() ? Duration.ZERO : left;
    }

    private static String shown(Duration duration) {
        return duration.toMillis() % 1_000 == 0 ? duration.toSeconds() + "s" : duration.toMillis() + "ms";
    }
}
