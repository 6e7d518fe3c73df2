package dev.holdfast.server.http.edge;

import dev.holdfast.server.auth.RateLimit;
import dev.holdfast.server.auth.login.Authenticator;
import dev.holdfast.server.http.JsonBody;
import dev.holdfast.server.http.Route;
import dev.holdfast.server.http.Routes;
import dev.holdfast.server.http.Shares;
import dev.holdfast.server.observe.audit.AuditTrail;
import dev.holdfast.server.observe.logs.LineLimit;
import dev.holdfast.server.observe.metrics.Meters;
import dev.holdfast.server.observe.tracing.Tracing;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The way of every request: find the route, know the caller, take the body, ask the handler, answer. Nothing here blocks.
 * Shared by all event loops; a request stays on its own.
 */
public final class HttpEdge {
    private static final Pattern PLAIN_ID = Pattern.compile("[A-Za-z0-9_.:/+=-]{1,128}");

    /** What an edge is made of. */
    public record EdgeParts(
            Routes routes,
            Limits limits,
            Authenticator authenticator,
            RateLimit rate,
            Meters meters,
            Tracing tracing,
            AuditTrail trail,
            Hosts hosts,
            RemoteAddresses addresses,
            LineLimit lines) {}

    private final EdgeParts parts;
    private final JsonBody json;
    private final JsonBody batches;
    private final DocumentRoom documents;
    private final Shares connections;
    private final FailureLog failures;
    private final AtomicInteger underWay = new AtomicInteger();
    private final CompletableFuture<Void> idle = new CompletableFuture<>();
    private volatile boolean stopping;
    private final String ids = Long.toString(ThreadLocalRandom.current().nextLong(1L << 40), 36) + "-";
    private final AtomicLong lastId = new AtomicLong();

    public HttpEdge(EdgeParts parts) {
        this.parts = parts;
        this.json = new JsonBody(parts.limits().jsonDepth(), parts.limits().body());
        this.documents = DocumentRoom.of(parts.limits().document());
        this.connections = new Shares(parts.limits().connectionsPerAddress());
        this.failures = new FailureLog(parts.lines());
        this.batches = new JsonBody(parts.limits().jsonDepth(), parts.limits().batchBody());
    }

    FailureLog failures() {
        return failures;
    }

    DocumentRoom documents() {
        return documents;
    }

    /** Connections by where they come from, of all event loops. */
    Shares connections() {
        return connections;
    }

    void handle(HttpServerRequest request, EdgeConnections connections) {
        new RequestHandling(this, request, connections).start();
    }

    /** From now on known callers are told that the server stops; what is under way goes on. */
    public void stopping() {
        stopping = true;
        tellIfIdle();
    }

    /** After {@link #stopping()}: completes when nothing is under way; streams do not count. */
    public CompletableFuture<Void> idle() {
        return idle;
    }

    private void tellIfIdle() {
        if (stopping && underWay.get() == 0) {
            idle.complete(null);
        }
    }

    public List<Route> routes() {
        return parts.routes().all();
    }

    void began() {
        underWay.incrementAndGet();
    }

    void ended() {
        underWay.decrementAndGet();
        tellIfIdle();
    }

    boolean isStopping() {
        return stopping;
    }

    EdgeParts parts() {
        return parts;
    }

    JsonBody json(Route.BodyKind kind) {
        return kind == Route.BodyKind.BATCH ? batches : json;
    }

    /** Names a request: as its client named it, if that name can stand in a log, else a new one. */
    String requestId(@Nullable String given) {
        return given != null && PLAIN_ID.matcher(given).matches()
                ? given
                : ids + Long.toString(lastId.incrementAndGet(), 36);
    }
}
