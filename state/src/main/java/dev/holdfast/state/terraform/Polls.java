package dev.holdfast.state.terraform;

import dev.holdfast.internal.parts.RecentMap;
import java.time.Duration;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Remembers who asked for a lock that was not free, and how often it asks: one who asks again gets a place in the queue, which is
 * kept a little longer than until its next poll. Terraform polls after 1, 2, 4, 8, 16, 16... seconds. Of this process only: what is
 * forgotten costs a place, never a lock. Safe for any thread.
 */
final class Polls {
    /** Callers remembered; the one not heard of for longest is forgotten first. */
    private static final int MAX_CALLERS = 10_000;
    /** Who asks again later than this is not waiting. */
    private static final Duration FORGOTTEN_AFTER = Duration.ofMinutes(1);
    /** Where terraform stops to double its interval. */
    private static final Duration LONGEST_DOUBLED = Duration.ofSeconds(16);
    /** A dead head of the queue costs the others no more. */
    static final Duration MAX_KEEP = Duration.ofSeconds(20);
    /** A network and a pause of the caller need this much. */
    static final Duration MIN_KEEP = Duration.ofSeconds(1);

    private final LongSupplier nanos;
    private final Map<String, LastPoll> callers = new RecentMap<>(MAX_CALLERS);

    Polls(LongSupplier nanos) {
        this.nanos = nanos;
    }

    private record LastPoll(long at, Duration interval) {}

    /** One poll: whether it is not the first, and how long a place is kept for the next. */
    record Poll(boolean again, Duration keep) {}

    /** Somebody asks now. */
    synchronized Poll poll(String caller) {
        long now = nanos.getAsLong();
        LastPoll before = callers.get(caller);
        Duration interval = before == null ? Duration.ZERO : Duration.ofNanos(now - before.at());
        if (before == null || interval.compareTo(FORGOTTEN_AFTER) > 0) {
            callers.put(caller, new LastPoll(now, Duration.ZERO));
            return new Poll(false, MAX_KEEP);
        }
        callers.put(caller, new LastPoll(now, interval));
        return new Poll(true, keep(before.interval(), interval));
    }

    /** Whether this one asked here not long ago. */
    synchronized boolean isKnown(String caller) {
        return callers.containsKey(caller);
    }

    /** It was told to come back: its interval counts from now. */
    synchronized void answered(String caller) {
        callers.computeIfPresent(caller, (name, seen) -> new LastPoll(nanos.getAsLong(), seen.interval()));
    }

    /** It has the lock, or does not want it any more. */
    synchronized void forget(String caller) {
        callers.remove(caller);
    }

    /** One and a half times the interval to expect: the last one, or its double while intervals grow. */
    private static Duration keep(Duration before, Duration last) {
        boolean grows = last.compareTo(before.multipliedBy(3).dividedBy(2)) >= 0;
        Duration next = grows ? max(last, min(last.multipliedBy(2), LONGEST_DOUBLED)) : last;
        return max(MIN_KEEP, min(MAX_KEEP, next.multipliedBy(3).dividedBy(2)));
    }

    private static Duration min(Duration a, Duration b) {
        return a.compareTo(b) <= 0 ? a : b;
    }

    private static Duration max(Duration a, Duration b) {
        return a.compareTo(b) >= 0 ? a : b;
    }
}
