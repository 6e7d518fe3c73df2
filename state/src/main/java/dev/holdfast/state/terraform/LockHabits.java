package dev.holdfast.state.terraform;

import java.time.Duration;

/**
 * How locks of terraform's are treated.
 *
 * @param staleAfter when one looks stale
 * @param lockWait how long a caller who asks again is kept before it is told to come back; longer than a store needs to
 *     answer, shorter than what people take for a hanging connection
 * @param forceUnlock which ones its force-unlock may end
 */
public record LockHabits(Duration staleAfter, Duration lockWait, ForcePolicy forceUnlock) {
    /** Stale after an hour; handed over at once while its next holder is connected, which is five seconds at a time. */
    public static final LockHabits DEFAULT =
            new LockHabits(Duration.ofHours(1), Duration.ofSeconds(5), ForcePolicy.ANY);
}
