package dev.holdfast.server.routes;

import dev.holdfast.model.Hold;
import dev.holdfast.model.Times;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** When asking again makes sense. */
final class RetryAfter {
    /** A lock is often given back before its lease ends, so nobody is sent away for long. */
    private static final Duration MOST = Duration.ofSeconds(5);

    private static final Duration LEAST = Duration.ofMillis(100);

    private RetryAfter() {}

    /** When the first of those in the way ends, but neither at once nor much later. */
    static Duration of(List<Hold> inTheWay, Instant now) {
        Instant first = Times.NEVER;
        for (Hold hold : inTheWay) {
            first = Times.earlier(first, hold.expiresAt());
        }
        Duration until = first.equals(Times.NEVER) ? MOST : Duration.between(now, first);
        return until.compareTo(LEAST) < 0 ? LEAST : until.compareTo(MOST) > 0 ? MOST : until;
    }
}
