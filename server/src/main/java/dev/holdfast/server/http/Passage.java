package dev.holdfast.server.http;

import dev.holdfast.server.auth.Authentication;
import dev.holdfast.server.auth.Authenticator;
import dev.holdfast.server.auth.RateLimit;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One request on its way: find the route, know the caller, take the body, ask the handler, answer. Stays on its event loop. */
final class Passage {
    private static final Logger LOG = LoggerFactory.getLogger(Passage.class);

    private static final CharSequence REQUEST_ID = HttpHeaders.createOptimized("X-Request-Id");
    private static final CharSequence NO_STORE = HttpHeaders.createOptimized("no-store");
    private static final CharSequence NOSNIFF_NAME = HttpHeaders.createOptimized("X-Content-Type-Options");
    private static final CharSequence NOSNIFF = HttpHeaders.createOptimized("nosniff");
    /** What others call "client closed request": nobody sees it but the metrics. */
    private static final int CLIENT_CLOSED = 499;

    private final HttpEdge edge;
    private final HttpEdge.Parts parts;
    private final HttpServerRequest request;
    private final Connections connections;
    private final Context context = Vertx.currentContext();
    private final long start = System.nanoTime();
    private final String id;
    private Call call;
    private ErrorStyle style = ErrorStyle.PROBLEM;
    private String template = "unknown";
    private boolean answered;
    private Runnable whenAnswered = () -> {};

    Passage(HttpEdge edge, HttpServerRequest request, Connections connections) {
        this.edge = edge;
        this.parts = edge.parts();
        this.request = request;
        this.connections = connections;
        this.id = edge.requestId(request.getHeader(REQUEST_ID));
        this.call = new Call(request, context, id, Map.of(), edge.json(Route.BodyKind.NONE));
    }

    void start() {
        edge.began();
        connections.began(request);
        request.exceptionHandler(failure -> connections.complete(request));
        request.response().exceptionHandler(failure -> {}); // its end is told as well, and that is what counts
        request.response().closeHandler(closed -> gone());
        try {
            enter(find());
        } catch (RuntimeException | Error e) { // whatever it is, the client must hear something
            discardBody();
            fail(e);
        }
    }

    private Routes.Found find() {
        String path = String.valueOf(request.path());
        style = path.startsWith("/v1/") ? ErrorStyle.COMPATIBLE : style;
        Routes.Found found = parts.routes()
                .find(path)
                .orElseThrow(() -> Problem.of(
                                404, "not-found", "There is nothing at this path. /openapi.json lists what there is")
                        .refused());
        style = found.style();
        return found;
    }

    private void enter(Routes.Found found) {
        Route route = found.of(request.method());
        if (route == null) {
            refuseMethod(found);
            return;
        }
        template = route.path();
        if (edge.isStopping() && route.access() != Route.Access.OPEN) {
            throw Failures.STOPPING.refused();
        }
        call = new Call(request, context, id, found.names(), edge.json(route.body()));
        call.in(parts.tracing()
                .server(request.method().name(), template, call.header("traceparent"), call.header("tracestate")));
        Origins.check(request, parts.loopbackOnly());
        if (route.access() == Route.Access.OPEN) {
            takeBody(route);
            return;
        }
        CompletableFuture<Authentication> known = parts.authenticator()
                .authenticate(authorization(), this::certificates)
                .toCompletableFuture();
        if (known.isDone()) {
            admit(route, known.join());
        } else {
            request.pause();
            Later.then(
                    known,
                    (who, failure) -> context.runOnContext(back -> {
                        try {
                            admit(
                                    route,
                                    who == null ? new Authentication.Unavailable("Callers cannot be known now") : who);
                        } catch (RuntimeException | Error e) { // whatever it is, the client must hear something
                            discardBody();
                            fail(e);
                        }
                        request.resume();
                    }));
        }
    }

    private Optional<String> authorization() {
        List<String> all = request.headers().getAll(HttpHeaderNames.AUTHORIZATION);
        if (all.size() > 1) {
            throw Problem.invalid("the header Authorization is given more than once")
                    .refused();
        }
        return all.isEmpty() ? Optional.empty() : Optional.of(all.get(0));
    }

    /** What the client has shown when it connected, its own certificate first. */
    private List<X509Certificate> certificates() {
        try {
            return request.connection().isSsl()
                    ? request.connection().peerCertificates().stream()
                            .filter(X509Certificate.class::isInstance)
                            .map(X509Certificate.class::cast)
                            .toList()
                    : List.of();
        } catch (SSLPeerUnverifiedException e) {
            return List.of(); // it has shown none
        }
    }

    private void refuseMethod(Routes.Found found) {
        discardBody();
        if (request.method().equals(HttpMethod.OPTIONS)) {
            send(Reply.bytes(204, "", Buffer.buffer()).header("Allow", found.allow()));
            return;
        }
        fail(Problem.of(
                        405,
                        "method-not-allowed",
                        request.method().name() + " is not possible here; possible are " + found.allow())
                .header("Allow", found.allow())
                .refused());
    }

    private void admit(Route route, Authentication who) {
        String address = String.valueOf(request.remoteAddress().hostAddress());
        if (who instanceof Authentication.Known known) {
            call.by(known.principal());
            call.as(known.standing());
            checkRate(parts.rate().admit(known.principal(), address));
            takeBody(route);
            return;
        }
        checkRate(parts.rate().admitStranger(address));
        if (route.access() == Route.Access.BASIC && who instanceof Authentication.Refused refused) {
            throw Problem.of(403, "forbidden", refused.why()).refused();
        }
        throw refusal(who).refused();
    }

    private static Problem refusal(Authentication who) {
        if (who instanceof Authentication.Unavailable unavailable) {
            return Problem.of(503, "authentication-unavailable", unavailable.why())
                    .retryAfter(Duration.ofSeconds(1));
        }
        return unauthorised(
                who instanceof Authentication.Refused refused
                        ? refused.why()
                        : "Credentials are needed: send 'Authorization: Bearer TOKEN'");
    }

    private static Problem unauthorised(String why) {
        return Problem.of(401, "unauthorized", why).header("WWW-Authenticate", Authenticator.CHALLENGE);
    }

    private void checkRate(RateLimit.Admission admission) {
        if (admission instanceof RateLimit.Admission.TooMany tooMany) {
            parts.watch().limited();
            throw Problem.of(429, "too-many-requests", "Too many requests of this caller; the limit is per second")
                    .retryAfter(tooMany.retryAfter())
                    .refused();
        }
    }

    // ---- the body

    private void takeBody(Route route) {
        int limit = switch (route.body()) {
            case NONE, JSON -> parts.limits().body();
            case BATCH -> parts.limits().batchBody();
            case DOCUMENT -> parts.limits().document();
        };
        String length = request.getHeader(HttpHeaderNames.CONTENT_LENGTH);
        if (length != null && (length.length() > 18 || Long.parseLong(length) > limit)) {
            throw tooLarge(limit).refused();
        }
        if (route.body() == Route.BodyKind.DOCUMENT) {
            takeDocument(route, length == null ? -1 : Integer.parseInt(length), limit);
            return;
        }
        Incoming.collect(request, limit, whole -> guarded(() -> dispatch(route, whole)), () -> {
            discardBody();
            fail(tooLarge(limit).refused());
        });
    }

    /** Only so many at a time: they are large, and held in memory. */
    private void takeDocument(Route route, int length, int limit) {
        DocumentRoom.Place place = edge.documents()
                .enter(length < 0 ? limit : length)
                .orElseThrow(() -> Problem.of(
                                503, "busy", "Too many large documents are under way. Nothing was changed; try again")
                        .retryAfter(Duration.ofSeconds(1))
                        .refused());
        whenAnswered = place::leave;
        DocumentBody body = new DocumentBody(length, limit, () -> connections.goesOn(request));
        request.handler(chunk -> {
            if (!answered && !body.take(chunk)) {
                discardBody();
                fail(tooLarge(limit).refused());
            }
        });
        request.endHandler(end -> guarded(() -> {
            call.took(body.whole());
            dispatch(route, Buffer.buffer());
        }));
    }

    private static Problem tooLarge(int limit) {
        return Problem.of(413, "body-too-large", "The body is larger than the " + limit + " bytes allowed here");
    }

    /** Answered without looking at the body: what still comes of it is thrown away. */
    private void discardBody() {
        request.handler(chunk -> {});
        request.endHandler(end -> connections.complete(request));
    }

    private void dispatch(Route route, Buffer whole) {
        connections.complete(request);
        if (answered) {
            return;
        }
        if (route.body() != Route.BodyKind.NONE) {
            checkType(whole);
            call.took(whole);
        }
        CompletableFuture<Reply> reply = route.handler().answer(call);
        if (reply.isDone()) {
            finish(route, reply);
        } else {
            Later.then(reply, (value, failure) -> {
                if (Vertx.currentContext() == context) {
                    finish(route, reply);
                } else {
                    context.runOnContext(back -> finish(route, reply));
                }
            });
        }
    }

    /** A browser sends anything but JSON without asking first, so JSON must be said. */
    private void checkType(Buffer whole) {
        String type = request.getHeader(HttpHeaderNames.CONTENT_TYPE);
        if (whole.length() > 0 && !MediaTypes.isJson(type)) {
            throw Problem.of(
                            415,
                            "unsupported-media-type",
                            "Content-Type must be application/json in UTF-8, was "
                                    + (type == null ? "not given" : "'" + MediaTypes.shortened(type) + "'"))
                    .refused();
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
        try {
            step.run();
        } catch (RuntimeException | Error e) { // whatever it is, the client must hear something
            fail(e);
        }
    }

    private void fail(Throwable failure) {
        Problem problem = edge.isStopping() && Later.cause(failure) instanceof IllegalStateException
                ? Failures.STOPPING
                : Failures.problem(failure, id);
        send(style.reply(problem, id));
    }

    private void send(Reply reply) {
        HttpServerResponse response = request.response();
        if (answered || response.closed()) {
            reply.undelivered().run();
            gone(); // if we are the first to notice
            return;
        }
        answered = true;
        head(response, reply);
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

    private void head(HttpServerResponse response, Reply reply) {
        response.setStatusCode(reply.status());
        if (!reply.contentType().isEmpty()) {
            response.putHeader(HttpHeaderNames.CONTENT_TYPE, reply.contentType());
        }
        response.putHeader(REQUEST_ID, id);
        response.putHeader(HttpHeaderNames.CACHE_CONTROL, NO_STORE);
        response.putHeader(NOSNIFF_NAME, NOSNIFF);
        if (owesBody() && request.version() != HttpVersion.HTTP_2) { // there only one of many streams ends
            response.putHeader(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE); // the rest is not waited for
        }
        call.span().traceparent().ifPresent(trace -> response.putHeader("traceresponse", trace));
        for (int i = 0; i < reply.headers().size(); i += 2) {
            response.putHeader(reply.headers().get(i), reply.headers().get(i + 1));
        }
    }

    /** A request without a body is answered before its end was told, but nothing more of it comes. */
    private boolean owesBody() {
        String length = request.getHeader(HttpHeaderNames.CONTENT_LENGTH);
        boolean announced =
                length == null ? request.headers().contains(HttpHeaderNames.TRANSFER_ENCODING) : !length.equals("0");
        return announced && !request.isEnded();
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
        if (LOG.isDebugEnabled()) {
            LOG.atDebug()
                    .addKeyValue("request_id", id)
                    .addKeyValue("status", status)
                    .addKeyValue("caller", call.principal().name())
                    .log("{} {}", request.method().name(), template);
        }
        edge.ended();
        connections.answered(request);
        call.span().end(Integer.toString(status), status >= 500);
        parts.watch().answered(template, request.method().name(), status, Duration.ofNanos(System.nanoTime() - start));
    }
}
