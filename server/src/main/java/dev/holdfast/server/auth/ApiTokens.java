package dev.holdfast.server.auth;

import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;

/** The configured API tokens. */
final class ApiTokens {
    private final List<Entry> entries;

    ApiTokens(List<TokenEntry> configured) {
        entries = configured.stream()
                .map(token ->
                        new Entry(token.hash(), new Principal(token.id(), token.roles(), Principal.Origin.API_TOKEN)))
                .toList();
    }

    /** Whose token this is. Takes the same time for every secret: each entry is compared in full, also after a match. */
    Optional<Principal> bearer(Digest presented) {
        byte[] hash = presented.bytes();
        Optional<Principal> found = Optional.empty();
        for (Entry entry : entries) {
            if (MessageDigest.isEqual(entry.hash, hash)) {
                found = entry.bearer;
            }
        }
        return found;
    }

    private static final class Entry {
        final byte[] hash;
        final Optional<Principal> bearer;

        Entry(byte[] hash, Principal bearer) {
            this.hash = hash;
            this.bearer = Optional.of(bearer);
        }
    }
}
