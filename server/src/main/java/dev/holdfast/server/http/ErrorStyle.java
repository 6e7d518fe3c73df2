package dev.holdfast.server.http;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.wire.ProblemJson;
import dev.holdfast.wire.json.JsonText;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.List;
import java.util.Map;

/** How problems are spelled on the wire. */
public enum ErrorStyle {
    PROBLEM(ProblemJson.MEDIA_TYPE) {
        @Override
        byte[] body(Problem problem, String requestId) {
            String title = HttpResponseStatus.valueOf(problem.status()).reasonPhrase();
            return JsonText.object(json -> {
                new ProblemJson(
                                problem.status(),
                                problem.code(),
                                problem.detail(),
                                problem.details(),
                                problem.retryAfter())
                        .write(json, title, requestId);
                for (Map.Entry<String, Object> extra : problem.extras().entrySet()) {
                    json.writeFieldName(extra.getKey());
                    if (extra.getValue() instanceof JsonText.Part part) {
                        part.write(json);
                    } else {
                        json.writeObject(extra.getValue());
                    }
                }
            });
        }
    },
    /** As LockServiceCentral answers: what is wrong with a request in details, everything else with an id for support. */
    COMPATIBLE("application/json") {
        @Override
        byte[] body(Problem problem, String requestId) {
            return JsonText.object(json -> {
                json.writeStringField("message", problem.detail());
                if (problem.status() == 400) {
                    List<String> details = problem.details().isEmpty() ? List.of(problem.detail()) : problem.details();
                    JsonText.values(json, "details", details, JsonGenerator::writeString);
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

    abstract byte[] body(Problem problem, String requestId);

    public Reply reply(Problem problem, String requestId) {
        Reply reply = Reply.bytes(problem.status(), contentType, Reply.line(body(problem, requestId)));
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
