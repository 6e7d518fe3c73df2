package dev.holdfast.server.config;

import java.util.Map;
import java.util.Set;

/**
 * An API token the server accepts, known by its hash only.
 *
 * @param id who it is, for the audit log and as owner of locks
 * @param sha256 hash over the UTF-8 bytes of the token, 64 lower-case hexadecimal digits
 * @param roles what it may do, by namespace; {@code *} stands for all namespaces
 */
public record TokenEntry(String id, String sha256, Map<String, Set<String>> roles) {
    /** Keeps what it is given from changing. */
    public TokenEntry {
        roles = Map.copyOf(roles);
    }

    /** Without the hash: it has no place in a log. */
    @Override
    public String toString() {
        return "TokenEntry[id=" + id + ", roles=" + roles + "]";
    }
}
