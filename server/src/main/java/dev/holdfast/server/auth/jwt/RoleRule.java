package dev.holdfast.server.auth.jwt;

import dev.holdfast.server.auth.Grants;

/**
 * What the bearers of certain JWTs may do.
 *
 * @param claims which: at least one claim is named
 */
public record RoleRule(ClaimRules claims, Grants roles) {
    /** Checks that it is not for everybody: that would hide in a list what {@code jwt.default-roles} says openly. */
    public RoleRule {
        if (claims.claims().isEmpty()) {
            throw new IllegalArgumentException(
                    "a rule of jwt.role-rules must name at least one claim; roles for every JWT are jwt.default-roles");
        }
    }
}
