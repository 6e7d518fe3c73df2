package dev.holdfast.server.config;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * An API token the server accepts, known by its hash only.
 *
 * @param id who it is, for the audit log and as owner of locks
 * @param sha256 hash over the UTF-8 bytes of the token, 64 lower-case hexadecimal digits
 * @param roles what it may do, by namespace; {@code *} stands for all namespaces
 * @param expires from when on it is refused
 * @param group its service account group
 */
public record TokenEntry(
        String id, String sha256, Map<String, Set<String>> roles, Optional<Instant> expires, Optional<String> group) {
    /** Keeps what it is given from changing. */
    public TokenEntry {
        roles = Map.copyOf(roles);
    }

    /** One that does not expire, and belongs to no group. */
    public TokenEntry(String id, String sha256, Map<String, Set<String>> roles) {
        this(id, sha256, roles, Optional.empty(), Optional.empty());
    }

    /** Without the hash: it has no place in a log. */
    @Override
    public String toString() {
        return "TokenEntry[id=" + id + ", roles=" + roles + ", expires=" + expires + ", group=" + group + "]";
    }
}
