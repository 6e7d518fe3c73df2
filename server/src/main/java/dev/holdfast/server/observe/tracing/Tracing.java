package dev.holdfast.server.observe.tracing;

import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockEvent;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.Token;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * Traces requests and holds. Without a collector it does nothing, and none of OpenTelemetry's classes is loaded. A collector that
 * is slow or away costs nothing but its spans: they are sent from a bounded queue, by a thread of their own.
 */
public interface Tracing extends AutoCloseable {
    Tracing NONE = new Tracing() {};

    static Tracing start(TracingConfig config) {
        return config.endpoint().isPresent() ? OtlpTracing.start(config) : NONE;
    }

    /** A request came: {@code method} and route template, and what the caller said of its own trace, as sent. */
    default Span server(String method, String route, Optional<String> traceparent, Optional<String> tracestate) {
        return Span.NONE;
    }

    /** A lock was granted: a span {@code hold} begins, as a part of the request that asked. Call it before the caller is answered. */
    default void granted(LeaseId lease, LockKey key, Token token, Span request) {}

    /**
     * Something happened to a lock, here or in another process: ends the span of a hold that ended. Give it every event of the
     * feed.
     */
    default void happened(LockEvent event) {}

    /** The guard decided something, which took until now: a span {@code guard.decision}, with these facts about it. */
    default void decided(Instant began, long token, Map<String, String> about) {}

    /** Sends what waits, for at most two seconds. */
    @Override
    default void close() {}
}
