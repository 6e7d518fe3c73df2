package dev.holdfast.server.auth.login;

import dev.holdfast.server.auth.Authentication;
import dev.holdfast.server.auth.Authentication.Known;
import dev.holdfast.server.auth.Authentication.Missing;
import dev.holdfast.server.auth.Authentication.Refused;
import dev.holdfast.server.auth.Authentication.Unavailable;
import dev.holdfast.server.auth.CredentialStandings;
import dev.holdfast.server.auth.Digest;
import dev.holdfast.server.auth.Principal;
import dev.holdfast.server.auth.TokenEntry;
import dev.holdfast.server.auth.jwt.IssuerKeys;
import dev.holdfast.server.auth.jwt.JwtTokens;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import javax.net.ssl.X509TrustManager;

/**
 * Establishes who calls. Never blocks: API tokens, certificates and JWTs seen a moment ago are answered at once; other JWTs are checked on
 * threads of its own, and may wait for the issuer's keys, for a bounded time. The stage never completes exceptionally, and may
 * complete on any thread. Thread-safe.
 */
public final class Authenticator implements AutoCloseable {
    /** The value of {@code WWW-Authenticate} in a 401. */
    public static final String CHALLENGE = "Bearer realm=\"holdfast\", Basic realm=\"holdfast\", charset=\"UTF-8\"";

    private static final CompletionStage<Authentication> ANONYMOUS = now(new Known(Principal.ANONYMOUS));
    private static final CompletionStage<Authentication> MISSING = now(new Missing());
    private static final CompletionStage<Authentication> UNKNOWN_TOKEN = now(new Refused(
            "This token is not known here. It may be mistyped, or it was revoked or removed from auth.tokens."));
    private static final CompletionStage<Authentication> NOT_ALL_KNOWN = now(new Unavailable(
            "This token is not known here, but the stored tokens could not be read yet. Try again in some seconds."));
    private static final CompletionStage<Authentication> NO_JWT = now(new Refused(
            "This looks like a JWT, and this server accepts none: neither jwt.issuer nor jwt.jwks is set."));

    private final boolean asks;
    private final CredentialStandings standings;
    private final ApiTokens apiTokens;
    private final Optional<JwtTokens> jwts;
    private final ClientCertificates certificates;

    private Authenticator(AuthConfig config, Clock clock, IssuerKeys.Pace pace) {
        this.asks = config.asks();
        this.standings = new CredentialStandings(clock);
        this.apiTokens = new ApiTokens(clock, standings);
        this.jwts = config.jwt().map(jwt -> new JwtTokens(jwt, clock, pace, standings));
        this.certificates = new ClientCertificates(config.certificates(), clock, standings);
        apiTokens.configured(config.tokens());
    }

    /** As configured; with JWT the issuer's keys are fetched from now on, in the background. */
    public static Authenticator of(AuthConfig config) {
        return of(config, Clock.systemUTC(), IssuerKeys.Pace.STANDARD);
    }

    static Authenticator of(AuthConfig config, Clock clock, IssuerKeys.Pace pace) {
        return new Authenticator(config, clock, pace);
    }

    /** Whether callers must say who they are. Stays as it was at the start: no change of tokens opens a server. */
    public boolean asks() {
        return asks;
    }

    // ---- what changes while the server runs

    /** The tokens of the configuration are these from now on; what was opened with others ends. */
    public void configuredTokens(List<TokenEntry> tokens) {
        apiTokens.configured(tokens);
    }

    public List<TokenEntry> configuredTokens() {
        return apiTokens.configured();
    }

    /** The tokens that were made while the server runs are these from now on; what was opened with others ends. */
    public void storedTokens(List<TokenEntry> tokens) {
        apiTokens.stored(tokens);
    }

    /** There may be stored tokens that are not known yet: until they are, no token is called wrong. */
    public void expectStoredTokens() {
        apiTokens.incomplete();
    }

    public void clientAuthorities(X509TrustManager authorities) {
        certificates.trust(authorities);
    }

    // ---- who calls

    /** Who sends this header. A request with more than one {@code Authorization} header should not come this far. */
    public CompletionStage<Authentication> authenticate(Optional<String> authorization) {
        return authenticate(authorization, List::of, () -> {});
    }

    /**
     * The same on a connection that has perhaps shown a certificate. The header wins: who sends one wants to be known by it.
     *
     * @param chain the certificates of the client, its own first; empty if it has shown none
     * @param beforeCostly called, on this thread, before a signature is checked, which strangers can ask for as well; what it throws
     *     ends the call
     */
    public CompletionStage<Authentication> authenticate(
            Optional<String> authorization, Supplier<List<X509Certificate>> chain, Runnable beforeCostly) {
        if (!asks) {
            return ANONYMOUS;
        }
        if (authorization.isEmpty()) {
            List<X509Certificate> shown = certificates.areAsked() ? chain.get() : List.of();
            return shown.isEmpty() ? MISSING : now(certificates.bearer(shown));
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
        return apiTokens.bearer(digest).map(Authenticator::now).orElseGet(() -> unknown(secret));
    }

    private CompletionStage<Authentication> unknown(Credentials.Secret secret) {
        if (secret.looksLikeJwt()) {
            return NO_JWT;
        }
        return apiTokens.isComplete() ? UNKNOWN_TOKEN : NOT_ALL_KNOWN;
    }

    private static CompletionStage<Authentication> now(Authentication answer) {
        return CompletableFuture.completedStage(answer);
    }

    /** Ends the background work; what is being checked still gets its answer. */
    @Override
    public void close() {
        standings.close();
        jwts.ifPresent(JwtTokens::close);
    }
}
