package dev.holdfast.server.observe.metrics;

import dev.holdfast.micrometer.DurationBuckets;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Set;

/** How long requests took, by route, method and status. */
final class HttpTimers {
    /** Routes times methods times statuses with values of their own: a few dozen routes with some ten statuses. */
    static final int MAX_CALLS = 1_000;

    private static final Set<String> METHODS =
            Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "LOCK", "UNLOCK");

    private final BoundedLabels<Call, Timer> timers;

    private record Call(String route, String method, int status) {}

    HttpTimers(MeterRegistry registry) {
        this.timers = new BoundedLabels<>(
                MAX_CALLS,
                new Call("other", "other", 0),
                call -> Timer.builder("holdfast.http.request.duration")
                        .description("How long HTTP requests took, including those that wait for a lock")
                        .serviceLevelObjectives(DurationBuckets.array(DurationBuckets.ANSWERS))
                        .tag("route", call.route)
                        .tag("method", call.method)
                        .tag("status", call.status == 0 ? "other" : Integer.toString(call.status))
                        .register(registry));
        timers.of(new Call("/health/live", "GET", 200)); // there before it is used, with zeros
    }

    void request(String route, String method, int status, Duration took) {
        // A method can be any word of the client's choice.
        timers.of(new Call(route, METHODS.contains(method) ? method : "other", status))
                .record(took);
    }
}
