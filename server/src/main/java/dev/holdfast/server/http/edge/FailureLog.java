package dev.holdfast.server.http.edge;

import dev.holdfast.server.http.Problem;
import dev.holdfast.server.observe.logs.LineLimit;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * One line for every request that was answered with 5xx, or with 429 because its caller asks too much, with the id its caller was told, as
 * far as {@link LineLimit} allows; the rest is counted there. A fault of the server itself is an error with its stack trace, all else a warning.
 */
record FailureLog(LineLimit limit) {
    private static final Logger LOG = LoggerFactory.getLogger(FailureLog.class);

    /**
     * @param requestId that the caller was told
     * @param request method and route
     * @param status 500 or more, or 429
     * @param caller who asked; empty if nobody is known
     */
    record Answer(String requestId, String request, int status, String caller, String address) {}

    /**
     * @param problem what the caller was told; empty if the answer is no problem, such as that of a server that is not ready
     * @param defect the fault of this server that led to it, if it is one
     */
    void answered(Answer answer, Optional<Problem> problem, Optional<Throwable> defect) {
        String code = problem.map(Problem::code).orElse("not-ready");
        // Whoever asks too much does not get to fill the log by asking everywhere.
        String where = answer.status() < 500 ? "" : " to " + answer.request();
        if (!limit.admits("answers " + answer.status() + " " + code + where)) {
            return;
        }
        LoggingEventBuilder line = defect.map(cause -> LOG.atError().setCause(cause))
                .orElseGet(LOG::atWarn)
                .addKeyValue("request_id", answer.requestId())
                .addKeyValue("status", answer.status())
                .addKeyValue("code", code)
                .addKeyValue("caller", answer.caller())
                .addKeyValue("remote_addr", answer.address());
        if (defect.isPresent()) {
            line.log("{} failed because of a fault in this server; please report this", answer.request());
        } else {
            line.log(
                    "{} failed: {}",
                    answer.request(),
                    problem.map(Problem::detail).orElse("not ready"));
        }
    }
}
