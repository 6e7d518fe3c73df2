package dev.holdfast.server.auth.jwt;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.factories.DefaultJWSVerifierFactory;
import com.nimbusds.jose.jwk.AsymmetricJWK;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.holdfast.model.Names;
import dev.holdfast.server.auth.ForeignText;
import dev.holdfast.server.auth.Grants;
import dev.holdfast.server.auth.TokenEntry;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What a JWT must be like. Pure: the same token, key and time give the same answer. Each objection is a sentence safe to show. */
record JwtRules(JwtConfig config) {
    /** Longest subject: it becomes the owner of locks, in every record and log line. */
    static final int MAX_SUBJECT = 256;

    /** Signatures that need a private key to make. Nothing else can be confused with them, because nothing else is tried. */
    private static final Set<JWSAlgorithm> ALGORITHMS = Set.of(
            JWSAlgorithm.RS256,
            JWSAlgorithm.RS384,
            JWSAlgorithm.RS512,
            JWSAlgorithm.ES256,
            JWSAlgorithm.ES384,
            JWSAlgorithm.ES512);

    /** Logout tokens, proofs of possession and the like are signed with the same keys, and are no credentials. */
    private static final Set<String> TYPES = Set.of("jwt", "at+jwt", "application/at+jwt");

    Optional<String> objectionTo(JWSHeader header) {
        if (!ALGORITHMS.contains(header.getAlgorithm())) {
            return Optional.of(
                    "The JWT is signed with an algorithm other than RS256, RS384, RS512, ES256, ES384, ES512.");
        }
        if (header.getCriticalParams() != null || !header.isBase64URLEncodePayload()) {
            return Optional.of("The JWT demands extensions (crit) that are not supported here.");
        }
        boolean ours = header.getType() == null
                || TYPES.contains(header.getType().toString().toLowerCase(Locale.ROOT));
        return ours ? Optional.empty() : Optional.of("The JWT is of a type (typ) that is not for access.");
    }

    boolean isSignedBy(JWK key, SignedJWT token) throws JOSEException {
        var verifier = new DefaultJWSVerifierFactory()
                .createJWSVerifier(token.getHeader(), ((AsymmetricJWK) key).toPublicKey());
        return token.verify(verifier);
    }

    Optional<String> objectionTo(JWTClaimsSet claims, Instant now) {
        return times(claims, now)
                .or(() -> parties(claims))
                .or(() -> subject(claims))
                .or(() -> bound(claims));
    }

    /** When the token stops being accepted; it has an expiry, or was objected to. */
    Instant end(JWTClaimsSet claims) {
        return claims.getExpirationTime().toInstant().plus(config.clockSkew());
    }

    /**
     * What its bearer may do.
     *
     * @throws IllegalArgumentException if the roles cannot be understood: a mistake in them must not pass as fewer roles
     */
    Grants grants(JWTClaimsSet claims) {
        Object claim = claims.getClaim(config.rolesClaim());
        List<Grants> all = new ArrayList<>();
        all.add(claim == null ? config.defaultRoles() : Grants.spelled(byNamespace(claim)));
        config.roleRules().stream()
                .filter(rule -> rule.claims().mismatch(claims.getClaims()).isEmpty())
                .map(RoleRule::roles)
                .forEach(all::add);
        return Grants.united(all);
    }

    /**
     * The service account group of its bearer.
     *
     * @throws IllegalArgumentException if it is no name of a group
     */
    Optional<String> group(JWTClaimsSet claims) {
        Optional<Object> claim = config.groupClaim().map(claims::getClaim);
        claim.ifPresent(value -> {
            if (!(value instanceof String group)) {
                throw new IllegalArgumentException("it is not a string");
            }
            TokenEntry.requireGroup(group);
        });
        return claim.map(String.class::cast);
    }

    private Optional<String> times(JWTClaimsSet claims, Instant now) {
        Optional<Instant> expires =
                Optional.ofNullable(claims.getExpirationTime()).map(Date::toInstant);
        if (expires.isEmpty()) {
            return Optional.of("The JWT has no expiry (exp).");
        }
        if (!now.isBefore(end(claims))) {
            return Optional.of("The JWT expired at " + expires.get() + ".");
        }
        if (claims.getClaim("nbf") != null && claims.getNotBeforeTime() == null) {
            return Optional.of("The start of the JWT (nbf) is not a time.");
        }
        return Optional.ofNullable(claims.getNotBeforeTime())
                .map(Date::toInstant)
                .filter(start -> now.isBefore(start.minus(config.clockSkew())))
                .map(start -> "The JWT is not valid before " + start + ".");
    }

    private Optional<String> parties(JWTClaimsSet claims) {
        Optional<String> issuer = config.issuer().map(URI::toString);
        if (issuer.isPresent() && !issuer.get().equals(claims.getIssuer())) {
            return Optional.of("The JWT has an issuer (iss) other than '" + issuer.get() + "'.");
        }
        return claims.getAudience().contains(config.audience())
                ? Optional.empty()
                : Optional.of("The JWT is for an audience (aud) other than '" + config.audience() + "'.");
    }

    /** Names the claim, which the one who sends the token knows, and not the pattern, which is ours. */
    private Optional<String> bound(JWTClaimsSet claims) {
        return config.boundClaims()
                .mismatch(claims.getClaims())
                .map(claim -> "The claim '" + ForeignText.safely(claim)
                        + "' of the JWT is not one that this server accepts (jwt.bound-claims).");
    }

    private static Optional<String> subject(JWTClaimsSet claims) {
        String subject = Optional.ofNullable(claims.getSubject()).orElse("");
        try {
            Names.text("subject", subject, 1);
            if (subject.length() <= MAX_SUBJECT) {
                return Optional.empty();
            }
        } catch (IllegalArgumentException e) {
            // told below, like one that is too long
        }
        return Optional.of("The JWT needs a subject (sub) of 1 to " + MAX_SUBJECT + " printable characters.");
    }

    private static Map<String, List<String>> byNamespace(Object claim) {
        if (!(claim instanceof Map<?, ?> object)) {
            throw new IllegalArgumentException("it is not an object with a list of roles per namespace");
        }
        Map<String, List<String>> roles = new LinkedHashMap<>();
        object.forEach((namespace, names) -> roles.put(String.valueOf(namespace), strings(names)));
        return roles;
    }

    private static List<String> strings(Object names) {
        if (names instanceof Collection<?> list && list.stream().allMatch(String.class::isInstance)) {
            return list.stream().map(String.class::cast).toList();
        }
        throw new IllegalArgumentException("it is not an object with a list of roles per namespace");
    }
}
