package dev.holdfast.server.auth.login;

import dev.holdfast.server.auth.Authentication;
import dev.holdfast.server.auth.Authentication.Known;
import dev.holdfast.server.auth.Authentication.Refused;
import dev.holdfast.server.auth.CredentialStandings;
import dev.holdfast.server.auth.Digest;
import dev.holdfast.server.auth.Principal;
import dev.holdfast.server.auth.TokenEntry;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The API tokens that count now: those of the configuration, and those made while the server runs. Safe for any thread. */
final class ApiTokens {
    private final Clock clock;
    private final CredentialStandings standings;
    private volatile List<Entry> entries = List.of();
    private volatile List<TokenEntry> configured = List.of();
    private volatile boolean complete = true;
    private List<TokenEntry> stored = List.of(); // guarded by this

    ApiTokens(Clock clock, CredentialStandings standings) {
        this.clock = clock;
        this.standings = standings;
    }

    synchronized void configured(List<TokenEntry> tokens) {
        configured = List.copyOf(tokens);
        replace();
    }

    synchronized void stored(List<TokenEntry> tokens) {
        stored = List.copyOf(tokens);
        complete = true;
        replace();
    }

    /** There may be more, which are not known yet. */
    void incomplete() {
        complete = false;
    }

    boolean isComplete() {
        return complete;
    }

    List<TokenEntry> configured() {
        return configured;
    }

    /** An entry that stays keeps what was opened with it; one that changed is another. */
    private void replace() {
        Map<TokenEntry, Entry> before = new HashMap<>();
        entries.forEach(entry -> before.put(entry.token, entry));
        List<TokenEntry> tokens = new ArrayList<>(stored);
        tokens.addAll(configured); // last, so that they win over a stored one with the same hash
        entries = tokens.stream()
                .map(token -> Optional.ofNullable(before.remove(token)).orElseGet(() -> new Entry(token)))
                .toList();
        before.values().forEach(entry -> entry.revoked = true);
    }

    /** Whose token this is. Takes the same time for every secret: each entry is compared in full, also after a match. */
    Optional<Authentication> bearer(Digest presented) {
        byte[] hash = presented.bytes();
        Optional<Entry> found = Optional.empty();
        for (Entry entry : entries) {
            if (MessageDigest.isEqual(entry.hash, hash)) {
                found = entry.itself;
            }
        }
        return found.map(entry -> entry.answer(clock.instant()));
    }

    private final class Entry {
        final TokenEntry token;
        final byte[] hash;
        final Optional<Entry> itself = Optional.of(this);
        private final Known known;
        volatile boolean revoked;

        Entry(TokenEntry token) {
            this.token = token;
            this.hash = token.hash();
            this.known = new Known(
                    new Principal(token.id(), token.roles(), Principal.CredentialOrigin.API_TOKEN, token.group()),
                    standings.of(token.expires().orElse(Instant.MAX), () -> !revoked));
        }

        Authentication answer(Instant now) {
            return token.expires()
                    .filter(end -> !now.isBefore(end))
                    .<Authentication>map(end -> new Refused("This token expired at " + end + "."))
                    .orElse(known);
        }
    }
}
