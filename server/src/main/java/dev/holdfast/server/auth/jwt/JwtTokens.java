package dev.holdfast.server.auth.jwt;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.holdfast.internal.parts.DaemonThreads;
import dev.holdfast.server.auth.Authentication;
import dev.holdfast.server.auth.Authentication.Known;
import dev.holdfast.server.auth.Authentication.Refused;
import dev.holdfast.server.auth.Authentication.Unavailable;
import dev.holdfast.server.auth.CredentialStandings;
import dev.holdfast.server.auth.Digest;
import dev.holdfast.server.auth.Grants;
import dev.holdfast.server.auth.Principal;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts the JWTs of one issuer. A signature costs up to some milliseconds to check, and strangers can send as many as they
 * like; so checks have two threads and a bounded queue, and never the caller's thread.
 */
public final class JwtTokens implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(JwtTokens.class);

    private static final int CHECKERS = 2;
    /** More than these would wait for longer than a caller does. */
    private static final int MAX_WAITING = 1_000;
    /** How long a check counts at most. */
    private static final Duration REMEMBERED = Duration.ofMinutes(5);

    private static final Unavailable NO_KEYS =
            new Unavailable("The keys of the token issuer cannot be fetched right now. Try again in some seconds.");
    private static final Unavailable OVERLOADED =
            new Unavailable("Too many JWTs are being checked right now. Try again in a second.");
    private static final Refused MALFORMED = new Refused("The token is not a readable JWT.");

    private final JwtRules rules;
    private final IssuerKeys keys;
    private final Clock clock;
    private final CredentialStandings standings;
    private final VerifiedTokens verified = new VerifiedTokens();
    private final ThreadPoolExecutor checkers = new ThreadPoolExecutor(
            CHECKERS,
            CHECKERS,
            10,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MAX_WAITING),
            DaemonThreads.numbered("holdfast-jwt"));

    public JwtTokens(JwtConfig config, Clock clock, IssuerKeys.Pace pace, CredentialStandings standings) {
        this.rules = new JwtRules(config);
        this.keys = IssuerKeys.of(config, pace);
        this.clock = clock;
        this.standings = standings;
    }

    public CompletionStage<Authentication> authenticate(String token, Digest digest, Runnable beforeCostly) {
        Optional<Known> known = verified.find(digest, keys.current(), clock.instant());
        if (known.isPresent()) {
            return CompletableFuture.completedStage(known.get());
        }
        beforeCostly.run();
        try {
            return CompletableFuture.supplyAsync(() -> check(token, digest), checkers)
                    .thenCompose(stage -> stage)
                    .exceptionally(JwtTokens::unexpected);
        } catch (RejectedExecutionException e) {
            return CompletableFuture.completedStage(OVERLOADED);
        }
    }

    private CompletionStage<Authentication> check(String token, Digest digest) {
        SignedJWT parsed;
        try {
            parsed = SignedJWT.parse(token);
        } catch (ParseException | RuntimeException e) {
            // The parser is not prepared for every header, for example the word null.
            return CompletableFuture.completedStage(MALFORMED);
        }
        Optional<String> objection = rules.objectionTo(parsed.getHeader());
        if (objection.isPresent()) {
            return CompletableFuture.completedStage(new Refused(objection.get()));
        }
        boolean known = keys.current()
                .filter(set -> !set.fitting(parsed.getHeader()).isEmpty())
                .isPresent();
        return known
                ? CompletableFuture.completedStage(judge(parsed, digest))
                : keys.look().thenApply(looked -> judge(parsed, digest));
    }

    private Authentication judge(SignedJWT token, Digest digest) {
        if (keys.current().isEmpty()) {
            return NO_KEYS;
        }
        KeySet set = keys.current().get();
        List<JWK> fitting = set.fitting(token.getHeader());
        if (fitting.isEmpty()) {
            // During an outage it may be a key we have not been able to see: that is no refusal.
            return keys.outage() ? NO_KEYS : new Refused("The JWT is signed with a key its issuer does not publish.");
        }
        if (fitting.size() > 1) {
            return new Refused("The JWT does not say which of several keys signed it (kid).");
        }
        JWK key = fitting.get(0);
        try {
            return rules.isSignedBy(key, token)
                    ? accept(token.getJWTClaimsSet(), key, set, digest)
                    : new Refused("The signature of the JWT is wrong.");
        } catch (JOSEException | ParseException e) {
            return MALFORMED;
        }
    }

    private Authentication accept(JWTClaimsSet claims, JWK key, KeySet by, Digest digest) {
        Instant now = clock.instant();
        Optional<String> objection = rules.objectionTo(claims, now);
        if (objection.isPresent()) {
            return new Refused(objection.get());
        }
        Grants grants;
        try {
            grants = rules.grants(claims);
        } catch (IllegalArgumentException e) {
            return new Refused("The roles in the JWT cannot be understood: " + e.getMessage() + ".");
        }
        Optional<String> group;
        try {
            group = rules.group(claims);
        } catch (IllegalArgumentException e) {
            return new Refused("The group in the JWT cannot be understood: " + e.getMessage() + ".");
        }
        Instant end = rules.end(claims);
        Known known = new Known(
                new Principal(claims.getSubject(), grants, Principal.CredentialOrigin.JWT, group),
                standings.of(end, () -> isPublished(key)));
        Instant until = end.isBefore(now.plus(REMEMBERED)) ? end : now.plus(REMEMBERED);
        verified.remember(digest, new VerifiedTokens.VerifiedToken(known, by, until));
        return known;
    }

    /** A key that its issuer withdraws ends what was opened with the tokens it signed. */
    private boolean isPublished(JWK key) {
        return keys.current().filter(set -> set.keys().contains(key)).isPresent();
    }

    /** A token must not be able to do this; if one can, nobody is let in by it. */
    private static Authentication unexpected(Throwable failure) {
        LOG.error("A JWT could not be checked because of a fault in this server", failure);
        return new Unavailable("The JWT could not be checked because of a fault in this server.");
    }

    @Override
    public void close() {
        keys.close();
        checkers.shutdown();
    }
}
