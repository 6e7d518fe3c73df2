package dev.holdfast.server.tokens;

import dev.holdfast.server.auth.Grants;
import dev.holdfast.server.auth.TokenEntry;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A token that was made while a server ran: never the token, only its hash, with the roles as they were spelled. */
record StoredToken(
        String id,
        String sha256,
        Map<String, List<String>> roles,
        Optional<String> group,
        Instant createdAt,
        String createdBy,
        Optional<Instant> expiresAt) {
    StoredToken {
        Map<String, List<String>> copy = new LinkedHashMap<>();
        roles.forEach((scope, names) -> copy.put(scope, List.copyOf(names)));
        roles = Collections.unmodifiableMap(copy);
    }

    /**
     * As it is compared with what callers present.
     *
     * @throws IllegalArgumentException if this version does not understand it
     */
    TokenEntry entry() {
        return new TokenEntry(id, sha256, Grants.spelled(roles), expiresAt, group);
    }

    boolean isExpired(Instant now) {
        return expiresAt.filter(end -> !now.isBefore(end)).isPresent();
    }

    @Override
    public String toString() {
        return "StoredToken[" + id + "]";
    }
}
