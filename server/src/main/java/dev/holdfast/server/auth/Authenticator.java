package dev.holdfast.server.auth;

import dev.holdfast.server.auth.Authentication.Known;
import dev.holdfast.server.auth.Authentication.Missing;
import dev.holdfast.server.auth.Authentication.Refused;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Establishes who calls. Never blocks: API tokens and JWTs seen a moment ago are answered at once; other JWTs are checked on
 * threads of its own, and may wait for the issuer's keys, for a bounded time. The stage never completes exceptionally, and may
 * complete on any thread. Thread-safe.
 */
public final class Authenticator implements AutoCloseable {
    /** The value of {@code WWW-Authenticate} in a 401. */
    public static final String CHALLENGE = "Bearer realm=\"holdfast\", Basic realm=\"holdfast\", charset=\"UTF-8\"";

    private static final CompletionStage<Authentication> ANONYMOUS = now(new Known(Principal.ANONYMOUS));
    private static final CompletionStage<Authentication> MISSING = now(new Missing());
    private static final CompletionStage<Authentication> UNKNOWN_TOKEN = now(new Refused(
            "This token is not known here. It may be mistyped, or its entry was removed from auth.tokens."));
    private static final CompletionStage<Authentication> NO_JWT = now(new Refused(
            "This looks like a JWT, and this server accepts none: neither jwt.issuer nor jwt.jwks is set."));

    private final boolean asks;
    private final ApiTokens apiTokens;
    private final Optional<JwtTokens> jwts;

    private Authenticator(AuthConfig config, Optional<JwtTokens> jwts) {
        this.asks = config.asks();
        this.apiTokens = new ApiTokens(config.tokens());
        this.jwts = jwts;
    }

    /** As configured; with JWT the issuer's keys are fetched from now on, in the background. */
    public static Authenticator of(AuthConfig config) {
        return of(config, Clock.systemUTC(), IssuerKeys.Pace.STANDARD);
    }

    static Authenticator of(AuthConfig config, Clock clock, IssuerKeys.Pace pace) {
        return new Authenticator(
                config, config.asks() ? config.jwt().map(jwt -> JwtTokens.of(jwt, clock, pace)) : Optional.empty());
    }

    /**
     * Who sends this header. A request with more than one {@code Authorization} header should not come this far.
     *
     * @param authorization the value of the header {@code Authorization}
     */
    public CompletionStage<Authentication> authenticate(Optional<String> authorization) {
        return authenticate(authorization, () -> {});
    }

    /**
     * The same.
     *
     * @param beforeCostly called, on this thread, before a signature is checked, which strangers can ask for as well; what it throws
     *     ends the call
     */
    public CompletionStage<Authentication> authenticate(Optional<String> authorization, Runnable beforeCostly) {
        if (!asks) {
            return ANONYMOUS;
        }
        if (authorization.isEmpty()) {
            return MISSING;
        }
        Credentials presented = Credentials.in(authorization.get());
        return presented instanceof Credentials.Secret secret
                ? authenticate(secret, beforeCostly)
                : now(new Refused(((Credentials.Unreadable) presented).why()));
    }

    private CompletionStage<Authentication> authenticate(Credentials.Secret secret, Runnable beforeCostly) {
        Digest digest = Digest.of(secret.value());
        if (jwts.isPresent() && secret.looksLikeJwt()) {
            return jwts.get().authenticate(secret.value(), digest, beforeCostly);
        }
        return apiTokens
                .bearer(digest)
                .map(principal -> now(new Known(principal)))
                .orElse(secret.looksLikeJwt() ? NO_JWT : UNKNOWN_TOKEN);
    }

    private static CompletionStage<Authentication> now(Authentication answer) {
        return CompletableFuture.completedStage(answer);
    }

    /** Ends the background work; what is being checked still gets its answer. */
    @Override
    public void close() {
        jwts.ifPresent(JwtTokens::close);
    }
}
