package dev.holdfast.server.http;

import dev.holdfast.model.Cause;
import dev.holdfast.model.RecordKey;
import dev.holdfast.server.auth.CredentialStanding;
import dev.holdfast.server.auth.Grants;
import dev.holdfast.server.auth.Loopback;
import dev.holdfast.server.auth.Principal;
import dev.holdfast.server.auth.RateLimit;
import dev.holdfast.server.auth.Role;
import dev.holdfast.server.auth.login.Authenticator;
import dev.holdfast.server.observe.audit.AuditedCaller;
import dev.holdfast.server.observe.tracing.Span;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** One request on its way through the server. Belongs to one event loop. */
public final class Call {
    private final HttpServerRequest request;
    private final String id;
    private final Map<String, String> names;
    private final JsonBody json;
    private final Context context;
    private final String address;
    private Principal principal = Principal.ANONYMOUS;
    private CredentialStanding standing = CredentialStanding.ALWAYS;
    private Buffer body = Buffer.buffer();
    private byte[] document = new byte[0];
    private boolean authorised;
    private Span span = Span.NONE;
    private Runnable gone = () -> {};

    public Call(
            HttpServerRequest request,
            Context context,
            String id,
            String address,
            Map<String, String> names,
            JsonBody json) {
        this.address = address;
        this.context = context;
        this.request = request;
        this.id = id;
        this.names = names;
        this.json = json;
    }

    /** Names the request in logs, in the audit and in the answer. */
    public String id() {
        return id;
    }

    public Principal principal() {
        return principal;
    }

    /** Whether the credentials of the caller still count: what lasts must end with them. */
    public CredentialStanding standing() {
        return standing;
    }

    public Cause cause() {
        return new Cause(principal.name(), id);
    }

    public AuditedCaller caller() {
        return new AuditedCaller(principal.name(), address, id);
    }

    /**
     * Whose share of the server this uses: the principal's, or the network's where nobody is asked who calls. Empty for who is on this
     * machine and asked nothing: there is nobody to share with.
     */
    public String share() {
        if (!principal.isAnonymous()) {
            return principal.origin() + " " + principal.name();
        }
        return Loopback.isLoopback(address) ? "" : "address " + RateLimit.network(address);
    }

    /** What stood at this name in the path, decoded. */
    public String name(String name) {
        String value = names.get(name);
        if (value == null) {
            throw new IllegalStateException("the route has no {" + name + "}");
        }
        return value;
    }

    public Optional<String> header(String name) {
        return Optional.ofNullable(request.getHeader(name));
    }

    public Query query() {
        return new Query(request.query());
    }

    public JsonFields fields() {
        return new JsonFields(json.object(body).members());
    }

    /** The same, where a body without anything means that nothing is said. */
    public JsonFields optionalFields() {
        return body.length() == 0 ? new JsonFields(Map.of()) : fields();
    }

    /** The body of a document, as it came. Not a copy. */
    public byte[] document() {
        return document;
    }

    /** Goes on only if the caller has this role for this lock. */
    public void require(Role role, RecordKey key) {
        require(principal.grants().may(role, key), role, () -> "for '" + Grants.place(key) + "'");
    }

    /** Goes on only if the caller has this role for what has this name there. */
    public void require(Role role, String namespace, String name) {
        require(principal.grants().may(role, namespace, name), role, () -> "for '" + namespace + "/" + name + "'");
    }

    /** Goes on only if the caller has this role for something there; the answer must then be narrowed to it. */
    public void requireSomewhereIn(Role role, String namespace) {
        require(principal.grants().maySomewhereIn(role, namespace), role, () -> "in namespace '" + namespace + "'");
    }

    /** Goes on only if the caller has this role in some namespace; the answer must then be narrowed to those. */
    public void requireAnywhere(Role role) {
        require(principal.grants().mayAnywhere(role), role, () -> "in some namespace");
    }

    /** Goes on only if the caller may look at something in this namespace, or in any; the answer must then be narrowed to it. */
    public void requireRead(Optional<String> namespace) {
        namespace.ifPresentOrElse(one -> requireSomewhereIn(Role.READ, one), () -> requireAnywhere(Role.READ));
    }

    /** Goes on only if the caller has this role in all namespaces. */
    public void requireEverywhere(Role role) {
        require(principal.grants().mayEverywhere(role), role, () -> "in all namespaces");
    }

    /** Goes on with whoever was let in: the answer is about the caller alone. */
    public void requireNoRole() {
        authorised = true;
    }

    private void require(boolean granted, Role role, Supplier<String> where) {
        authorised = true;
        if (!granted) {
            throw Problem.refusal(
                    403,
                    "forbidden",
                    "'" + principal.name() + "' does not have the role '" + role.spelling() + "' " + where.get()
                            + ". Ask whoever runs this server to grant it");
        }
    }

    public Span span() {
        return span;
    }

    /**
     * The same answer, told on this request's event loop. What follows it is done there, not on the thread that serves the store:
     * others wait for that one.
     */
    public <T> CompletableFuture<T> here(CompletableFuture<T> answer) {
        if (answer.isDone()) {
            return answer;
        }
        CompletableFuture<T> told = new CompletableFuture<>();
        StageContinuation.on(context, answer, (value, failure) -> {
            if (failure != null) {
                told.completeExceptionally(failure);
            } else {
                told.complete(value);
            }
        });
        return told;
    }

    /** The same answer, unless the credentials of the caller ended while it was waited for: then it is undone, and the caller refused. */
    public <T> CompletableFuture<T> whileStanding(CompletableFuture<T> answer, Runnable undo) {
        return answer.handle((value, failure) -> {
            if (!standing.stands()) {
                undo.run();
                throw Problem.of(401, "unauthorized", "The credentials of this request have expired or were revoked")
                        .header("WWW-Authenticate", Authenticator.CHALLENGE)
                        .refused();
            }
            if (failure != null) {
                throw StageContinuation.failed(failure);
            }
            return value;
        });
    }

    /** Calls {@code act}, once, if the client goes away before it was answered. */
    public void ifGone(Runnable act) {
        gone = act;
    }

    // ---- for the edge

    public void by(Principal known) {
        principal = known;
    }

    public void as(CredentialStanding credentials) {
        standing = credentials;
    }

    public void in(Span traced) {
        span = traced;
    }

    public void took(Buffer content) {
        body = content;
    }

    public void took(byte[] whole) {
        document = whole;
    }

    public boolean isAuthorised() {
        return authorised;
    }

    public void clientGone() {
        Runnable act = gone;
        gone = () -> {};
        act.run();
    }
}
