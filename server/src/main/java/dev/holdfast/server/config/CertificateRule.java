package dev.holdfast.server.config;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Client certificates the server accepts. One of subject and san is given.
 *
 * @param subject the whole subject; {@code *} stands for any characters
 * @param san one of the alternative names, in the same way
 * @param id who it is; without it the name that matched
 * @param roles what it may do, by namespace
 * @param group its service account group
 */
public record CertificateRule(
        Optional<String> subject,
        Optional<String> san,
        Optional<String> id,
        Map<String, Set<String>> roles,
        Optional<String> group) {
    /** Keeps what it is given from changing. */
    public CertificateRule {
        roles = Map.copyOf(roles);
    }
}
