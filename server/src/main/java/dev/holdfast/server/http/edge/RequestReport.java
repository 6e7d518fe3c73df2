package dev.holdfast.server.http.edge;

import dev.holdfast.internal.parts.Causes;
import dev.holdfast.server.auth.RateLimit;
import dev.holdfast.server.http.Call;
import dev.holdfast.server.http.Problem;
import dev.holdfast.server.http.Route;
import dev.holdfast.server.observe.metrics.AccessRefusal;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is told of one request to those who run the server: in the log, the audit, the metrics and the trace. */
final class RequestReport {
    /** The code of an answer to somebody who lacks a role. */
    static final String FORBIDDEN = "forbidden";

    private static final Logger LOG = LoggerFactory.getLogger(RequestHandling.class);
    private static final int TURNED_AWAY = 429;

    private final HttpEdge edge;
    private final HttpServerRequest request;
    private final String id;
    private final String address;
    private final long start = System.nanoTime();
    private String template = "unknown";
    private Optional<AccessRefusal> refusal = Optional.empty();
    private Optional<Problem> problem = Optional.empty();
    private Optional<Throwable> defect = Optional.empty();

    RequestReport(HttpEdge edge, HttpServerRequest request, String id, String address) {
        this.edge = edge;
        this.request = request;
        this.id = id;
        this.address = address;
    }

    /** It was sent to this route, by which it is counted. */
    void on(Route route) {
        template = route.path();
    }

    /** Its caller was not let in; the failure comes next. */
    void refused(AccessRefusal why) {
        refusal = Optional.of(why);
    }

    /** As the audit names it. */
    String resource() {
        return request.method().name() + " " + request.path();
    }

    /** It failed, perhaps after its client was answered: nobody else hears of a defect then. */
    void failed(Problem told, Throwable failure, Call call, boolean answered) {
        if (refusal.isEmpty() && told.code().equals(FORBIDDEN)) {
            refusal = Optional.of(AccessRefusal.ROLE);
        }
        if (!answered && refusal.isPresent()) {
            edge.parts()
                    .trail()
                    .refused(call.caller(), RateLimit.network(address), refusal.get(), resource(), told.detail());
        }
        problem = Optional.of(told);
        defect = FailureProblems.isDefect(told) ? Optional.of(Causes.of(failure)) : Optional.empty();
        if (answered && defect.isPresent()) {
            logFailure(told.status(), call);
        }
    }

    /** It was answered, or its client went away. */
    void ended(int status, Call call) {
        if (LOG.isDebugEnabled()) {
            LOG.atDebug()
                    .addKeyValue("request_id", id)
                    .addKeyValue("status", status)
                    .addKeyValue("caller", call.principal().name())
                    .addKeyValue("remote_addr", address)
                    .log("{} {}", request.method().name(), template);
        }
        if (status >= 500 || status == TURNED_AWAY) {
            logFailure(status, call);
        }
        call.span().end(Integer.toString(status), status >= 500);
        edge.parts()
                .meters()
                .request(template, request.method().name(), status, Duration.ofNanos(System.nanoTime() - start));
    }

    private void logFailure(int status, Call call) {
        String what = request.method().name() + " " + template;
        FailureLog.Answer answer =
                new FailureLog.Answer(id, what, status, call.principal().name(), address);
        edge.failures().answered(answer, problem, defect);
    }
}
