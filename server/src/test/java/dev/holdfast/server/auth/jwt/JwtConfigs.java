package dev.holdfast.server.auth.jwt;

import dev.holdfast.server.auth.Grants;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Whose JWTs a test accepts, in fewer words. */
public final class JwtConfigs {
    public static final String ROLES_CLAIM = "holdfast_roles";
    public static final Duration CLOCK_SKEW = Duration.ofSeconds(30);

    private JwtConfigs() {}

    /** Tokens of this issuer for this audience, nothing granted by default. */
    public static JwtConfig issuedBy(URI issuer, String audience) {
        return of(Optional.of(issuer), Optional.empty(), audience, ROLES_CLAIM, Grants.NONE, CLOCK_SKEW);
    }

    /** Whatever their other claims are; roles only by the claim with the roles. */
    public static JwtConfig of(
            Optional<URI> issuer,
            Optional<URI> jwks,
            String audience,
            String rolesClaim,
            Grants defaultRoles,
            Duration clockSkew) {
        return new JwtConfig(
                issuer,
                jwks,
                audience,
                rolesClaim,
                defaultRoles,
                clockSkew,
                ClaimRules.NONE,
                List.of(),
                Optional.empty());
    }
}
