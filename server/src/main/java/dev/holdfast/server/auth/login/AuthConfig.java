package dev.holdfast.server.auth.login;

import dev.holdfast.server.auth.CertificateEntry;
import dev.holdfast.server.auth.TokenEntry;
import dev.holdfast.server.auth.jwt.JwtConfig;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * How callers are asked who they are.
 *
 * @param disabled said explicitly: nobody is asked, everybody may do everything; then nothing else is set
 */
public record AuthConfig(
        boolean disabled, Optional<JwtConfig> jwt, List<TokenEntry> tokens, List<CertificateEntry> certificates) {
    /** Nothing said: open, and therefore for loopback only. */
    public static final AuthConfig UNSET = new AuthConfig(false, Optional.empty(), List.of());

    /** Every request compares with every entry, so the list stays short enough not to be felt. */
    public static final int MAX_TOKENS = 1_000;

    /** Each is compared with a certificate until one fits. */
    public static final int MAX_CERTIFICATES = 1_000;

    /** Checks that ids and hashes are unique, and that nothing is set that would have no effect. */
    public AuthConfig {
        tokens = List.copyOf(tokens);
        certificates = List.copyOf(certificates);
        if (disabled && (jwt.isPresent() || !tokens.isEmpty() || !certificates.isEmpty())) {
            throw new IllegalArgumentException("authentication.disabled=true would let everybody in, although tokens,"
                    + " JWT or certificates are set; remove one or the other");
        }
        if (certificates.size() > MAX_CERTIFICATES) {
            throw new IllegalArgumentException("auth.certificates has " + certificates.size() + " entries, at most "
                    + MAX_CERTIFICATES + " are allowed");
        }
        if (tokens.size() > MAX_TOKENS) {
            throw new IllegalArgumentException("auth.tokens has " + tokens.size() + " entries, at most " + MAX_TOKENS
                    + " are allowed; use JWT for so many callers");
        }
        Set<String> ids = new HashSet<>();
        Set<String> hashes = new HashSet<>();
        for (TokenEntry token : tokens) {
            if (!ids.add(token.id())) {
                throw new IllegalArgumentException("auth.tokens has two entries with the id '" + token.id() + "'");
            }
            if (!hashes.add(token.sha256())) {
                throw new IllegalArgumentException("auth.tokens: the entry '" + token.id()
                        + "' has the sha256 of another entry; each needs a token of its own");
            }
        }
    }

    public AuthConfig(boolean disabled, Optional<JwtConfig> jwt, List<TokenEntry> tokens) {
        this(disabled, jwt, tokens, List.of());
    }

    public boolean asks() {
        return jwt.isPresent() || !tokens.isEmpty() || !certificates.isEmpty();
    }
}
