package dev.holdfast.server.config;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Roles for JWTs with certain claims.
 *
 * @param claims what the claims must be; for each one pattern must match
 * @param roles what the bearer may do, by namespace
 */
public record RoleRule(Map<String, List<String>> claims, Map<String, Set<String>> roles) {
    /** Keeps what it is given from changing. */
    public RoleRule {
        claims = Map.copyOf(claims);
        roles = Map.copyOf(roles);
    }
}
