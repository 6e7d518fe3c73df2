package dev.holdfast.server.observe.tracing;

import dev.holdfast.model.LockKey;
import dev.holdfast.model.Token;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A span of OpenTelemetry. */
final class OtlpSpan implements Span {
    private final Tracer tracer;
    private final io.opentelemetry.api.trace.Span span;
    /** Rounded up: the end must not come before the start. */
    private final long beganNanos = (System.currentTimeMillis() + 1) * 1_000_000L;

    OtlpSpan(Tracer tracer, io.opentelemetry.api.trace.Span span) {
        this.tracer = tracer;
        this.span = span;
    }

    @Override
    public OtlpSpan child(String name, LockKey key) {
        io.opentelemetry.api.trace.Span child = tracer.spanBuilder(name)
                .setParent(Context.root().with(span))
                .setAttribute("lock.namespace", key.namespace())
                .setAttribute("lock.name", key.name())
                .setAttribute("lock.path", key.path().value())
                .startSpan();
        return new OtlpSpan(tracer, child);
    }

    @Override
    public Span token(Token token) {
        span.setAttribute("lock.fencing_token", token.value());
        return this;
    }

    @Override
    public void end(String outcome, boolean failed) {
        outcome(outcome, failed);
        span.end();
    }

    /** Ends it that long after it began, although that is told later. */
    void endAfter(Duration lasted, String outcome, boolean failed) {
        outcome(outcome, failed);
        span.end(beganNanos + lasted.toNanos(), TimeUnit.NANOSECONDS);
    }

    boolean isRecorded() {
        return span.isRecording();
    }

    private void outcome(String outcome, boolean failed) {
        span.setAttribute("lock.outcome", outcome);
        if (failed) {
            span.setStatus(StatusCode.ERROR, outcome);
        }
    }

    @Override
    public Optional<String> traceparent() {
        SpanContext context = span.getSpanContext();
        return context.isValid()
                ? Optional.of("00-" + context.getTraceId() + "-" + context.getSpanId() + "-"
                        + context.getTraceFlags().asHex())
                : Optional.empty();
    }
}
