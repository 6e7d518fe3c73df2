package dev.holdfast.server.auth;

import java.time.Instant;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * An API token as it is configured: never the token, only its hash.
 *
 * @param id the name of its bearer, 1 to 64 of letters, digits, {@code _ . @ : -}; not {@code anonymous}
 * @param sha256 the SHA-256 of the token, 64 hexadecimal digits
 * @param roles what its bearer may do
 * @param expires from when on it is refused, by the clock of the server
 * @param group the service account group of its bearer, 1 to 200 of letters, digits, {@code _ . @ : / -}
 */
public record TokenEntry(String id, String sha256, Grants roles, Optional<Instant> expires, Optional<String> group) {
    public static final Pattern ID = Pattern.compile("[A-Za-z0-9_.@:-]{1,64}");
    public static final Pattern GROUP = Pattern.compile("[A-Za-z0-9_.@:/-]{1,200}");
    private static final Pattern HASH = Pattern.compile("[0-9A-Fa-f]{64}");

    /** Checks all parts; a message never shows what was given as hash, which could be the token itself. */
    public TokenEntry {
        requireId(id);
        if (!HASH.matcher(sha256).matches()) {
            throw new IllegalArgumentException("sha256 of token '" + id + "' must be 64 hexadecimal digits, was "
                    + sha256.length() + " characters; make an entry with: holdfast token create");
        }
        sha256 = sha256.toLowerCase(Locale.ROOT);
        group.ifPresent(TokenEntry::requireGroup);
    }

    /** One that does not expire, and belongs to no group. */
    public TokenEntry(String id, String sha256, Grants roles) {
        this(id, sha256, roles, Optional.empty(), Optional.empty());
    }

    static void requireId(String id) {
        if (!ID.matcher(id).matches()) {
            throw new IllegalArgumentException("token id '" + ForeignText.safely(id)
                    + "' must be 1 to 64 of letters, digits, '_', '.', '@', ':', '-'");
        }
        if (id.equals(Principal.ANONYMOUS_NAME)) {
            throw new IllegalArgumentException("token id 'anonymous' is taken by servers without authentication");
        }
    }

    public static void requireGroup(String group) {
        if (!GROUP.matcher(group).matches()) {
            throw new IllegalArgumentException("group '" + ForeignText.safely(group)
                    + "' must be 1 to 200 of letters, digits, '_', '.', '@', ':', '/', '-'");
        }
    }

    public static TokenEntry of(String id, String token, Grants roles) {
        return new TokenEntry(id, Digest.of(token).hex(), roles);
    }

    public byte[] hash() {
        return HexFormat.of().parseHex(sha256);
    }

    @Override
    public String toString() {
        return "TokenEntry[" + id + ", " + roles
                + expires.map(end -> ", until " + end).orElse("")
                + group.map(it -> ", group " + it).orElse("") + "]";
    }
}
