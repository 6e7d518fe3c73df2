package dev.holdfast.server.routes;

import dev.holdfast.model.Hold;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/** When asking again makes sense. */
final class RetryAfter {
    /** A lock is often given back before its lease ends, so nobody is sent away for long. */
    private static final Duration MOST = Duration.ofSeconds(5);

    private static final Duration LEAST = Duration.ofMillis(100);

    private RetryAfter() {}

    /** When the first of those in the way ends, but neither at once nor much later. */
    static Duration of(List<Hold> inTheWay, Instant now) {
        Duration until = inTheWay.stream()
                .map(Hold::expiresAt)
                .min(Comparator.naturalOrder())
                .map(first -> Duration.between(now, first))
                .orElse(MOST);
        return until.compareTo(LEAST) < 0 ? LEAST : until.compareTo(MOST) > 0 ? MOST : until;
    }
}
