package dev.holdfast.server.tokens;

import dev.holdfast.internal.parts.ShownText;
import dev.holdfast.model.EventType;
import dev.holdfast.server.auth.Grants;
import dev.holdfast.server.auth.Role;
import dev.holdfast.server.auth.TokenEntry;
import dev.holdfast.server.auth.TokenSecret;
import dev.holdfast.server.auth.login.Authenticator;
import dev.holdfast.server.http.Blocking;
import dev.holdfast.server.http.Call;
import dev.holdfast.server.http.JsonFields;
import dev.holdfast.server.http.Problem;
import dev.holdfast.server.http.Reply;
import dev.holdfast.server.http.Route;
import dev.holdfast.server.http.Route.BodyKind;
import dev.holdfast.server.observe.audit.AuditedCaller;
import dev.holdfast.wire.TokenJson;
import dev.holdfast.wire.json.Json;
import io.vertx.core.http.HttpMethod;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code /v2/tokens}: API tokens without a restart. Whoever calls needs admin in all namespaces, and so has every right that a token can be
 * given. A server that asks nobody makes none: everybody could make themselves an admin of the servers on the same store that do ask.
 */
public final class TokenRoutes implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TokenRoutes.class);
    private static final String TOKENS = "/v2/tokens";
    private static final int THREADS = 2;
    private static final int WAITING = 64;
    /** Scopes of one token, and roles of one scope. */
    private static final int MAX_ROLES = 100;

    private static final Duration MIN_LIFE = Duration.ofSeconds(1);
    /** Longer is never, which is said by leaving it out. */
    private static final Duration MAX_LIFE = Duration.ofDays(3_650);
    /** How long one that expired is still listed, for whoever wonders why it is refused. */
    private static final Duration KEPT_EXPIRED = Duration.ofDays(30);

    private final Authenticator authenticator;
    private final Optional<StoredTokens> stored;
    private final Changes changes;
    private final Clock clock;
    private final Blocking threads = new Blocking("token-calls", THREADS, WAITING);

    /**
     * @param stored where they are kept; empty on a server that asks nobody
     * @param changes told of every change
     */
    public TokenRoutes(Authenticator authenticator, Optional<StoredTokens> stored, Changes changes, Clock clock) {
        this.authenticator = authenticator;
        this.stored = stored;
        this.changes = changes;
        this.clock = clock;
    }

    public List<Route> routes() {
        return List.of(
                Route.post(TOKENS, this::create),
                Route.get(TOKENS, this::list),
                Route.of(HttpMethod.DELETE, TOKENS + "/{id}", this::revoke).taking(BodyKind.NONE));
    }

    /** Hears what was done to the token of this id, and who asked for it. */
    @FunctionalInterface
    public interface Changes {
        void made(EventType type, AuditedCaller caller, String id);
    }

    private void changed(EventType type, Call call, String id) {
        LOG.info("{}: {} by {} (request {})", type.label(), id, call.principal().name(), call.id());
        changes.made(type, call.caller(), id);
    }

    // ---- making

    private CompletableFuture<Reply> create(Call call) {
        call.requireEverywhere(Role.ADMIN);
        JsonFields fields = call.fields();
        String secret = TokenSecret.random();
        StoredToken token = asked(call, fields, secret);
        fields.check();
        StoredTokens tokens = kept();
        return call.here(threads.run(call, () -> {
            tokens.change(before -> with(token, before));
            changed(EventType.TOKEN_CREATED, call, token.id());
            return Reply.json(201, shown(token).created(secret));
        }));
    }

    private StoredToken asked(Call call, JsonFields fields, String secret) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        String id = fields.text("id", text -> text, "x");
        Map<String, List<String>> roles = fields.lists("roles", MAX_ROLES);
        Optional<String> group = fields.optionalText("group", text -> text);
        Optional<Instant> expires = fields.optionalInteger("expires_in_ms", MIN_LIFE.toMillis(), MAX_LIFE.toMillis())
                .map(now::plusMillis);
        StoredToken token = new StoredToken(
                id,
                TokenSecret.sha256(secret),
                roles,
                group,
                now,
                call.principal().name(),
                expires);
        try {
            Grants.spelled(roles);
        } catch (IllegalArgumentException e) {
            fields.wrong("roles", "is not allowed: " + e.getMessage());
            return token;
        }
        try {
            token.entry();
        } catch (IllegalArgumentException e) {
            fields.wrong("id", "or group is not allowed: " + e.getMessage());
        }
        return token;
    }

    /** The tokens with one more; those that expired long ago make room. */
    List<StoredToken> with(StoredToken token, List<StoredToken> before) {
        if (before.stream().anyMatch(other -> other.sha256().equals(token.sha256()))) {
            return before; // our own write, whose answer was lost
        }
        Instant now = clock.instant();
        boolean configured = authenticator.configuredTokens().stream()
                .anyMatch(other -> other.id().equals(token.id()));
        boolean taken = before.stream().anyMatch(other -> other.id().equals(token.id()) && !other.isExpired(now));
        if (configured || taken) {
            throw Problem.refusal(
                    409,
                    "token-exists",
                    "There is a token '" + token.id() + "' already, "
                            + (configured ? "in auth.tokens of the configuration" : "created by a call")
                            + ". Choose another id, or "
                            + (configured ? "remove that one there" : "revoke that one first"));
        }
        List<StoredToken> after = new ArrayList<>(before.stream()
                .filter(other -> !other.id().equals(token.id()))
                .filter(other -> !other.isExpired(now.minus(KEPT_EXPIRED)))
                .toList());
        if (after.size() >= StoredTokens.MAX_TOKENS) {
            throw Problem.refusal(
                    409,
                    "too-many-tokens",
                    "There are " + after.size() + " tokens, and more are not kept. Revoke some, let tokens"
                            + " expire, or use JWT for so many callers");
        }
        after.add(token);
        return after;
    }

    // ---- looking

    private CompletableFuture<Reply> list(Call call) {
        call.requireEverywhere(Role.ADMIN);
        call.query().check();
        return call.here(threads.run(call, () -> {
            List<StoredToken> tokens = stored.isPresent() ? stored.get().fetch() : List.of();
            List<TokenJson> shown = new ArrayList<>();
            authenticator.configuredTokens().forEach(token -> shown.add(shown(token)));
            tokens.forEach(token -> shown.add(shown(token)));
            return Reply.ok(Json.build()
                    .with("items", Json.array(shown, TokenJson::write))
                    .build());
        }));
    }

    private TokenJson shown(StoredToken token) {
        return new TokenJson(
                token.id(),
                token.roles(),
                token.group(),
                Optional.of(token.createdAt()),
                Optional.of(token.createdBy()),
                token.expiresAt(),
                token.isExpired(clock.instant()));
    }

    private TokenJson shown(TokenEntry token) {
        return new TokenJson(
                token.id(),
                token.roles().spelling(),
                token.group(),
                Optional.empty(),
                Optional.empty(),
                token.expires(),
                token.expires().filter(end -> !clock.instant().isBefore(end)).isPresent());
    }

    // ---- revoking

    private CompletableFuture<Reply> revoke(Call call) {
        call.requireEverywhere(Role.ADMIN);
        call.query().check();
        String id = call.name("id");
        StoredTokens tokens = kept();
        return call.here(threads.run(call, () -> {
            AtomicBoolean found = new AtomicBoolean();
            tokens.change(before -> {
                List<StoredToken> after =
                        before.stream().filter(token -> !token.id().equals(id)).toList();
                if (after.size() == before.size() && !found.get()) {
                    throw unknown(id);
                }
                found.set(true); // if it is gone at the next try, it was our own write whose answer was lost
                return after;
            });
            changed(EventType.TOKEN_REVOKED, call, id);
            return Reply.ok(json -> {
                json.writeStringField("id", id);
                json.writeBooleanField("revoked", true);
            });
        }));
    }

    private Problem.Refused unknown(String id) {
        boolean configured = authenticator.configuredTokens().stream()
                .anyMatch(token -> token.id().equals(id));
        String shown = ShownText.of(id);
        return Problem.refusal(
                404,
                "unknown-token",
                configured
                        ? "Token '" + shown + "' is in auth.tokens of the configuration. Remove its entry there; no"
                                + " restart is needed"
                        : "There is no token '" + shown + "'. See which there are: GET " + TOKENS);
    }

    private StoredTokens kept() {
        return stored.orElseThrow(() -> Problem.refusal(
                409,
                "authentication-off",
                "This server has no authentication, so tokens would have no effect. Set auth.tokens with"
                        + " one token for an administrator, or jwt.issuer, and start it again"));
    }

    @Override
    public void close() {
        threads.close();
    }
}
