package dev.holdfast.server.http.edge;

import dev.holdfast.server.auth.Authentication;
import dev.holdfast.server.auth.Principal;
import dev.holdfast.server.auth.login.Authenticator;
import dev.holdfast.server.http.Call;
import dev.holdfast.server.http.ErrorStyle;
import dev.holdfast.server.http.Problem;
import dev.holdfast.server.http.Reply;
import dev.holdfast.server.http.Route;
import dev.holdfast.server.http.Routes;
import dev.holdfast.server.http.StageContinuation;
import dev.holdfast.server.observe.audit.AuditEntry;
import dev.holdfast.server.observe.metrics.AccessRefusal;
import dev.holdfast.server.observe.metrics.Rejection;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** One request on its way: find the route, know the caller, take the body, ask the handler, answer. Stays on its event loop. */
final class RequestHandling {
    /** What others call "client closed request": nobody sees it but the metrics. */
    private static final int CLIENT_CLOSED = 499;

    /** What everybody must be able to ask, however much is asked for besides; it costs next to nothing. */
    private static final String HEALTH = "/health/";

    /** A disk that does not answer for so long is none. */
    private static final Duration AUDIT_WITHIN = Duration.ofSeconds(5);

    private static final Problem NO_ROOM = Problem.of(
                    503, "busy", "Too many large documents are being uploaded. Nothing was changed; try again")
            .retryAfter(Duration.ofSeconds(1));
    private static final Problem NO_AUDIT = Problem.of(
                    503,
                    "audit-unavailable",
                    "The audit log of this server cannot be written, and audit.required says that nothing is done without it."
                            + " Nothing was changed. Whoever runs the server finds the reason in its log")
            .retryAfter(Duration.ofSeconds(5));

    private final HttpEdge edge;
    private final HttpEdge.EdgeParts parts;
    private final HttpServerRequest request;
    private final RequestHeaders headers;
    private final EdgeConnections connections;
    private final Context context = Vertx.currentContext();
    private final String id;
    private final String address;
    private final RequestReport report;
    private Call call;
    private ErrorStyle style = ErrorStyle.PROBLEM;
    private boolean answered;
    private boolean charged;
    private Runnable whenAnswered = () -> {};

    RequestHandling(HttpEdge edge, HttpServerRequest request, EdgeConnections connections) {
        this.edge = edge;
        this.parts = edge.parts();
        this.request = request;
        this.headers = new RequestHeaders(request);
        this.connections = connections;
        this.id = edge.requestId(request.getHeader(AnswerHead.REQUEST_ID));
        this.address = parts.addresses().of(request);
        this.report = new RequestReport(edge, request, id, address);
        this.call = new Call(request, context, id, address, Map.of(), edge.json(Route.BodyKind.NONE));
    }

    void start() {
        edge.began();
        connections.began(request);
        request.exceptionHandler(failure -> connections.complete(request));
        request.response().exceptionHandler(failure -> {}); // its end is told as well, and that is what counts
        request.response().closeHandler(closed -> gone());
        untilBody(() -> enter(find()));
    }

    private Routes.RouteMatch find() {
        String path = String.valueOf(request.path());
        style = path.startsWith("/v1/") ? ErrorStyle.COMPATIBLE : style;
        Routes.RouteMatch found = parts.routes()
                .find(path)
                .orElseThrow(() -> Problem.refusal(
                        404, "not-found", "There is nothing at this path. /openapi.json lists what there is"));
        style = found.style();
        return found;
    }

    private void enter(Routes.RouteMatch found) {
        Route route = found.of(request.method());
        if (route == null) {
            refuseMethod(found);
            return;
        }
        report.on(route);
        if (edge.isStopping() && route.access() != Route.Access.OPEN) {
            throw Problem.STOPPING.refused();
        }
        call = new Call(request, context, id, address, found.names(), edge.json(route.body()));
        call.in(parts.tracing()
                .server(request.method().name(), route.path(), call.header("traceparent"), call.header("tracestate")));
        CrossSiteCheck.objection(request, parts.hosts()).ifPresent(objection -> {
            throw refused(objection.why(), objection.problem());
        });
        if (route.access() == Route.Access.OPEN) {
            if (!route.path().startsWith(HEALTH)) {
                checkRate(parts.rate().admitOpen(address));
            }
            takeBody(route);
            return;
        }
        CompletableFuture<Authentication> known = parts.authenticator()
                .authenticate(headers.authorization(), headers::certificates, this::chargeStranger)
                .toCompletableFuture();
        if (known.isDone()) {
            admit(route, known.join());
        } else {
            request.pause();
            StageContinuation.on(context, known, (who, failure) -> {
                untilBody(() -> admit(
                        route, who == null ? new Authentication.Unavailable("Callers cannot be identified now") : who));
                request.resume();
            });
        }
    }

    private void refuseMethod(Routes.RouteMatch found) {
        discardBody();
        if (request.method().equals(HttpMethod.OPTIONS)) {
            send(Reply.bytes(204, "", Buffer.buffer()).header("Allow", found.allow()));
            return;
        }
        fail(Problem.of(
                        405,
                        "method-not-allowed",
                        request.method().name() + " is not allowed here; allowed are " + found.allow())
                .header("Allow", found.allow())
                .refused());
    }

    /** A signature that takes long to check is paid for before, by the address it comes from: it may be of anybody. */
    private void chargeStranger() {
        charged = true;
        checkRate(parts.rate().admitStranger(address));
    }

    private void admit(Route route, Authentication who) {
        if (who instanceof Authentication.Known known) {
            call.by(known.principal());
            call.as(known.standing());
            checkRate(parts.rate().admit(known.principal(), address));
            route.admission().accept(call);
            takeBody(route);
            return;
        }
        if (!charged) {
            checkRate(parts.rate().admitStranger(address));
        }
        if (who instanceof Authentication.Unavailable unavailable) {
            throw Problem.refusal(503, "authentication-unavailable", unavailable.why(), Duration.ofSeconds(1));
        }
        if (who instanceof Authentication.Refused refused) {
            throw refused(
                    AccessRefusal.BAD_CREDENTIALS,
                    route.access() == Route.Access.BASIC
                            ? Problem.of(403, RequestReport.FORBIDDEN, refused.why())
                            : unauthorised(refused.why()));
        }
        throw refused(
                AccessRefusal.NO_CREDENTIALS,
                unauthorised("Credentials are needed: send 'Authorization: Bearer TOKEN'"));
    }

    private Problem.Refused refused(AccessRefusal why, Problem problem) {
        report.refused(why);
        call.by(Principal.NOBODY);
        return problem.refused();
    }

    private static Problem unauthorised(String why) {
        return Problem.of(401, "unauthorized", why).header("WWW-Authenticate", Authenticator.CHALLENGE);
    }

    private void checkRate(Optional<Duration> retryAfter) {
        if (retryAfter.isPresent()) {
            parts.meters().rejected(Rejection.RATE);
            throw Problem.refusal(
                    429,
                    "too-many-requests",
                    "Too many requests from this caller; the limit is per second",
                    retryAfter.get());
        }
    }

    // ---- the body

    private void takeBody(Route route) {
        int limit = switch (route.body()) {
            case NONE, JSON -> parts.limits().body();
            case SMALL -> Route.SMALL_BYTES;
            case BATCH -> parts.limits().batchBody();
            case DOCUMENT -> parts.limits().document();
        };
        String length = request.getHeader(HttpHeaderNames.CONTENT_LENGTH);
        if (length != null && (length.length() > 18 || Long.parseLong(length) > limit)) {
            throw tooLarge(limit);
        }
        if (route.body() == Route.BodyKind.DOCUMENT) {
            takeDocument(route, length == null ? limit : Integer.parseInt(length));
            return;
        }
        BodyCollector.collect(request, limit, whole -> guarded(() -> arrived(route, whole)), () -> {
            discardBody();
            fail(tooLarge(limit));
        });
    }

    /** Only so many at a time: they are large, and held in memory. */
    private void takeDocument(Route route, int most) {
        DocumentRoom.Place place =
                edge.documents().enter(call.share(), DocumentBody.first(most)).orElseThrow(NO_ROOM::refused);
        whenAnswered = place::leave;
        DocumentBody body = new DocumentBody(most, place, () -> connections.goesOn(request));
        request.handler(chunk -> {
            DocumentBody.TakeResult taken = answered ? DocumentBody.TakeResult.YES : body.take(chunk);
            if (taken != DocumentBody.TakeResult.YES) {
                discardBody();
                fail(taken == DocumentBody.TakeResult.TOO_LARGE ? tooLarge(most) : NO_ROOM.refused());
            }
        });
        request.endHandler(end -> guarded(() -> {
            call.took(body.whole());
            arrived(route, Buffer.buffer());
        }));
    }

    private static Problem.Refused tooLarge(int limit) {
        return Problem.refusal(413, "body-too-large", "The body is larger than the " + limit + " bytes allowed here");
    }

    /** Answered without looking at the body: what still comes of it is thrown away. */
    private void discardBody() {
        request.handler(chunk -> {});
        request.endHandler(end -> connections.complete(request));
    }

    private void arrived(Route route, Buffer whole) {
        connections.complete(request);
        if (answered) {
            return;
        }
        switch (route.body()) {
            case NONE, DOCUMENT -> {}
            case SMALL -> call.took(whole.getBytes());
            case JSON, BATCH -> {
                headers.checkJson(whole);
                call.took(whole);
            }
        }
        if (route.effect() == Route.Effect.LOOKS) {
            dispatch(route);
            return;
        }
        parts.trail().asked(call.caller());
        if (parts.trail().isRequired()) {
            writeFirst(route);
        } else {
            dispatch(route);
        }
    }

    /** Nothing is done, or shown, before the audit has it. */
    private void writeFirst(Route route) {
        CompletableFuture<Void> written = parts.trail()
                .recordFirst(new AuditEntry(
                        AuditEntry.Action.REQUEST_RECEIVED.label(),
                        call.caller(),
                        AuditEntry.Outcome.BEGUN,
                        report.resource(),
                        Map.of()))
                .orTimeout(AUDIT_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
        StageContinuation.on(
                context,
                written,
                (done, failure) -> guarded(() -> {
                    if (failure != null) {
                        throw NO_AUDIT.refused();
                    }
                    if (!answered) {
                        dispatch(route);
                    }
                }));
    }

    private void dispatch(Route route) {
        CompletableFuture<Reply> reply = route.handler().answer(call);
        if (reply.isDone()) {
            finish(route, reply);
        } else {
            StageContinuation.then(reply, (value, failure) -> {
                if (Vertx.currentContext() == context) {
                    finish(route, reply);
                } else {
                    context.runOnContext(back -> finish(route, reply));
                }
            });
        }
    }

    private void finish(Route route, CompletableFuture<Reply> done) {
        guarded(() -> {
            Reply reply = done.join();
            if (route.access() != Route.Access.OPEN && !call.isAuthorised()) {
                throw new IllegalStateException("route " + route.path() + " does not ask for a role");
            }
            send(reply);
        });
    }

    // ---- the answer

    private void guarded(Runnable step) {
        guarded(step, () -> {});
    }

    /** A step before somebody takes the body: if it fails, nobody will. */
    private void untilBody(Runnable step) {
        guarded(step, this::discardBody);
    }

    private void guarded(Runnable step, Runnable ifFailed) {
        try {
            step.run();
        } catch (RuntimeException | Error e) { // whatever it is, the client must hear something
            ifFailed.run();
            fail(e);
        }
    }

    private void fail(Throwable failure) {
        Problem told = FailureProblems.problem(failure, id);
        report.failed(told, failure, call, answered);
        send(style.reply(told, id));
    }

    private void send(Reply reply) {
        HttpServerResponse response = request.response();
        if (answered || response.closed()) {
            reply.undelivered().run();
            gone(); // if we are the first to notice
            return;
        }
        answered = true;
        AnswerHead.write(response, reply, id, call.span().traceparent());
        if (headers.oweBody() && request.version() != HttpVersion.HTTP_2) { // there only one of many streams ends
            response.putHeader(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE); // the rest is not waited for
        }
        if (request.method().equals(HttpMethod.HEAD)) {
            if (reply.stream().isEmpty()) {
                response.putHeader(
                        HttpHeaderNames.CONTENT_LENGTH,
                        Integer.toString(reply.body().length()));
            }
            response.end();
        } else if (reply.stream().isPresent()) {
            reply.stream().get().accept(response);
        } else {
            response.end(reply.body()).onFailure(failure -> reply.undelivered().run());
        }
        ended(reply.status());
    }

    private void gone() {
        connections.complete(request);
        if (!answered) {
            answered = true;
            call.clientGone();
            ended(CLIENT_CLOSED);
        }
    }

    private void ended(int status) {
        whenAnswered.run();
        report.ended(status, call);
        edge.ended();
        connections.answered(request);
    }
}
