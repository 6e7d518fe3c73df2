package dev.holdfast.server.http.edge;

import dev.holdfast.server.http.Reply;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import java.util.Optional;

/** Status and headers of an answer. */
final class AnswerHead {
    static final CharSequence REQUEST_ID = HttpHeaders.createOptimized("X-Request-Id");

    private static final CharSequence NO_STORE = HttpHeaders.createOptimized("no-store");
    private static final CharSequence NOSNIFF_NAME = HttpHeaders.createOptimized("X-Content-Type-Options");
    private static final CharSequence NOSNIFF = HttpHeaders.createOptimized("nosniff");

    private AnswerHead() {}

    /** Writes it; the body comes next. */
    static void write(HttpServerResponse response, Reply reply, String id, Optional<String> trace) {
        response.setStatusCode(reply.status());
        if (!reply.contentType().isEmpty()) {
            response.putHeader(HttpHeaderNames.CONTENT_TYPE, reply.contentType());
        }
        response.putHeader(REQUEST_ID, id);
        response.putHeader(HttpHeaderNames.CACHE_CONTROL, NO_STORE);
        response.putHeader(NOSNIFF_NAME, NOSNIFF);
        trace.ifPresent(it -> response.putHeader("traceresponse", it));
        for (int i = 0; i < reply.headers().size(); i += 2) {
            response.putHeader(reply.headers().get(i), reply.headers().get(i + 1));
        }
    }
}
