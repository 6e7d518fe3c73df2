package dev.holdfast.server.auth.jwt;

import dev.holdfast.internal.parts.RecentMap;
import dev.holdfast.server.auth.Authentication;
import dev.holdfast.server.auth.Digest;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * The JWTs checked a moment ago, so that a busy client costs one check. Bounded: the one not used for longest goes first. A check
 * counts only as long as the issuer has the same keys. Thread-safe.
 */
final class VerifiedTokens {
    /** More clients than this on one server pay a check each time. */
    static final int MAX = 10_000;

    private final Map<Digest, VerifiedToken> recent = new RecentMap<>(MAX);

    synchronized Optional<Authentication.Known> find(Digest token, Optional<KeySet> keys, Instant now) {
        Optional<VerifiedToken> found = Optional.ofNullable(recent.get(token));
        Optional<VerifiedToken> good = found.filter(it -> now.isBefore(it.until) && keys.equals(Optional.of(it.by)));
        if (found.isPresent() && good.isEmpty()) {
            recent.remove(token);
        }
        return good.map(VerifiedToken::answer);
    }

    synchronized void remember(Digest token, VerifiedToken verified) {
        recent.put(token, verified);
    }

    /** A check that succeeded: it counts until then, as long as the issuer has the keys it was done with. */
    record VerifiedToken(Authentication.Known answer, KeySet by, Instant until) {}
}
