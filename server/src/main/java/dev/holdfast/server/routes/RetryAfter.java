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
        // Not compared by how far away they are: that of a hold that never ends costs an exception inside the JDK.
        Instant latest = now.plus(MOST);
        Instant first = inTheWay.stream()
                .map(Hold::expiresAt)
                .filter(latest::isAfter)
                .min(Comparator.naturalOrder())
                .orElse(latest);
        Duration until = Duration.between(now, first);
        return until.compareTo(LEAST) < 0 ? LEAST : until;
    }
}
