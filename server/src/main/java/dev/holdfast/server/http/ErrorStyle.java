package dev.holdfast.server.http;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Map;

/** How problems are spelled on the wire. */
public enum ErrorStyle {
    PROBLEM("application/problem+json") {
        @Override
        Buffer body(Problem problem, String requestId) {
            return JsonOutput.object(json -> {
                json.writeStringField("type", "urn:holdfast:problem:" + problem.code());
                json.writeStringField(
                        "title", HttpResponseStatus.valueOf(problem.status()).reasonPhrase());
                json.writeNumberField("status", problem.status());
                json.writeStringField("code", problem.code());
                json.writeStringField("detail", problem.detail());
                json.writeStringField("request_id", requestId);
                if (problem.details().size() > 1) {
                    json.writeArrayFieldStart("errors");
                    for (String detail : problem.details()) {
                        json.writeString(detail);
                    }
                    json.writeEndArray();
                }
                if (problem.retryAfter().isPresent()) {
                    json.writeNumberField(
                            "retry_after_ms", problem.retryAfter().get().toMillis());
                }
                for (Map.Entry<String, Object> extra : problem.extras().entrySet()) {
                    JsonOutput.member(json, extra.getKey(), extra.getValue());
                }
            });
        }
    },
    /** As LockServiceCentral answers: what is wrong with a request in details, everything else with an id for support. */
    COMPATIBLE("application/json") {
        @Override
        Buffer body(Problem problem, String requestId) {
            return JsonOutput.object(json -> {
                json.writeStringField("message", problem.detail());
                if (problem.status() == 400) {
                    List<String> details = problem.details().isEmpty() ? List.of(problem.detail()) : problem.details();
                    json.writeArrayFieldStart("details");
                    for (String detail : details) {
                        json.writeString(detail);
                    }
                    json.writeEndArray();
                } else {
                    json.writeStringField("errorId", requestId);
                }
            });
        }
    };

    private final String contentType;

    ErrorStyle(String contentType) {
        this.contentType = contentType;
    }

    abstract Buffer body(Problem problem, String requestId);

    /** The answer that tells this problem. */
    public Reply reply(Problem problem, String requestId) {
        Reply reply = Reply.bytes(problem.status(), contentType, body(problem, requestId));
        if (problem.retryAfter().isPresent()) {
            long seconds = Math.max(1, (problem.retryAfter().get().toMillis() + 999) / 1_000);
            reply = reply.header("Retry-After", Long.toString(seconds));
        }
        for (Map.Entry<String, String> header : problem.headers().entrySet()) {
            reply = reply.header(header.getKey(), header.getValue());
        }
        return reply;
    }
}
