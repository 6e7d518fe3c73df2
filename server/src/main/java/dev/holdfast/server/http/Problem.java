package dev.holdfast.server.http;

import dev.holdfast.wire.json.JsonText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A request that is not granted: what, which, and what to do next. Thrown while a request is read, returned once it is
 * decided; how it is spelled on the wire depends on the route (see {@link ErrorStyle}).
 *
 * @param code for programs; never changes its meaning
 * @param details one sentence for each thing that is wrong, when there are several
 * @param retryAfter when asking again makes sense
 * @param extras further members of the body, by name: texts, numbers, or {@link JsonText.Part}s
 */
public record Problem(
        int status,
        String code,
        String detail,
        List<String> details,
        Optional<Duration> retryAfter,
        Map<String, Object> extras,
        Map<String, String> headers) {

    /** To whoever asks a server that is about to end. */
    public static final Problem STOPPING = of(503, "stopping", "This server is stopping. Ask again; another may answer")
            .retryAfter(Duration.ofSeconds(1));

    public static Problem of(int status, String code, String detail) {
        return new Problem(status, code, detail, List.of(), Optional.empty(), Map.of(), Map.of());
    }

    /** A problem of which there is no more to tell, to leave a handler with. */
    public static Refused refusal(int status, String code, String detail) {
        return of(status, code, detail).refused();
    }

    /** The same, which passes: asking again makes sense after this time. */
    public static Refused refusal(int status, String code, String detail, Duration retryAfter) {
        return of(status, code, detail).retryAfter(retryAfter).refused();
    }

    public static Refused invalid(List<String> details) {
        String all = String.join("; ", details);
        return new Problem(400, "invalid-request", all, details, Optional.empty(), Map.of(), Map.of()).refused();
    }

    public static Refused invalid(String detail) {
        return invalid(List.of(detail));
    }

    public Problem retryAfter(Duration after) {
        return new Problem(status, code, detail, details, Optional.of(after), extras, headers);
    }

    public Problem with(String name, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(extras);
        more.put(name, value);
        return new Problem(status, code, detail, details, retryAfter, more, headers);
    }

    public Problem header(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return new Problem(status, code, detail, details, retryAfter, extras, more);
    }

    public Refused refused() {
        return new Refused(this);
    }

    /** Ends the handling of a request with a problem. Has no stack trace: it is an answer, not a defect. */
    public static final class Refused extends RuntimeException {
        private final transient Problem problem;

        Refused(Problem problem) {
            super(problem.detail(), null, false, false);
            this.problem = problem;
        }

        public Problem problem() {
            return problem;
        }
    }

    /** Collects what is wrong, so that all of it is told at once. */
    static final class Collector {
        /** Of a long list of faults the first are enough to find the cause. */
        private static final int MAX_TOLD = 20;

        private final List<String> found = new ArrayList<>(0);

        void add(String detail) {
            if (found.size() < MAX_TOLD) {
                found.add(detail);
            }
        }

        void check() {
            if (!found.isEmpty()) {
                throw invalid(List.copyOf(found));
            }
        }
    }
}
