package dev.holdfast.server.auth.jwt;

import dev.holdfast.server.auth.ForeignText;
import dev.holdfast.server.auth.Grants;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Whose JWTs are accepted.
 *
 * @param issuer who must have issued them; its keys are discovered at {@code <issuer>/.well-known/openid-configuration}
 *     unless {@code jwks} says where they are
 * @param audience what their {@code aud} must contain: without one, tokens for every other service of the issuer would be taken
 * @param rolesClaim the claim with the roles by namespace
 * @param defaultRoles what the bearer of a token without that claim may do
 * @param clockSkew how far the issuer's clock may be from ours
 * @param roleRules what bearers may do besides, by their claims
 * @param groupClaim the claim with the service account group
 */
public record JwtConfig(
        Optional<URI> issuer,
        Optional<URI> jwks,
        String audience,
        String rolesClaim,
        Grants defaultRoles,
        Duration clockSkew,
        ClaimRules boundClaims,
        List<RoleRule> roleRules,
        Optional<String> groupClaim) {
    /** More would make expiry mean little. */
    public static final Duration MAX_CLOCK_SKEW = Duration.ofMinutes(5);

    public JwtConfig {
        if (issuer.isEmpty() && jwks.isEmpty()) {
            throw new IllegalArgumentException("JWT needs jwt.issuer or jwt.jwks, to know whose keys to trust");
        }
        issuer.ifPresent(uri -> requireHttp("jwt.issuer", uri));
        jwks.ifPresent(uri -> requireHttp("jwt.jwks", uri));
        if (audience.isBlank()) {
            throw new IllegalArgumentException(
                    "jwt.audience must not be blank: tokens that were made for other services would be accepted");
        }
        roleRules = List.copyOf(roleRules);
        if (rolesClaim.isBlank()) {
            throw new IllegalArgumentException("the name of the claim with the roles must not be blank");
        }
        if (clockSkew.isNegative() || clockSkew.compareTo(MAX_CLOCK_SKEW) > 0) {
            throw new IllegalArgumentException("clock skew must be between 0 and 5m, was '" + clockSkew + "'");
        }
    }

    private static void requireHttp(String setting, URI uri) {
        if (!isHttp(uri)) {
            throw new IllegalArgumentException(setting
                    + " must be an http or https URL without user and fragment, was '" + withoutUser(uri) + "'");
        }
    }

    static boolean isHttp(URI uri) {
        String scheme = Optional.ofNullable(uri.getScheme()).orElse("").toLowerCase(Locale.ROOT);
        return (scheme.equals("http") || scheme.equals("https"))
                && uri.getHost() != null
                && uri.getRawUserInfo() == null
                && uri.getRawFragment() == null;
    }

    private static String withoutUser(URI uri) {
        return uri.getRawUserInfo() == null
                ? ForeignText.safely(uri.toString())
                : ForeignText.safely(uri.toString().replace(uri.getRawUserInfo(), "***"));
    }
}
