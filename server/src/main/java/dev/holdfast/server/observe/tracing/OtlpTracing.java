package dev.holdfast.server.observe.tracing;

import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockEvent;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.Token;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Tracing with OpenTelemetry, sent as protobuf over HTTP. */
final class OtlpTracing implements Tracing {
    /** Spans that may wait to be sent; more are dropped. */
    private static final int QUEUE = 4_096;

    private static final Duration SEND_EVERY = Duration.ofSeconds(1);
    private static final Duration SEND_WITHIN = Duration.ofSeconds(5);
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(2);

    private static final TextMapGetter<Map<String, String>> HEADERS =
            (headers, name) -> headers == null ? null : headers.get(name);

    private final SdkTracerProvider provider;
    private final Tracer tracer;
    private final OpenHolds holds = new OpenHolds();

    private OtlpTracing(SdkTracerProvider provider) {
        this.provider = provider;
        this.tracer = provider.get("dev.holdfast.server");
    }

    static OtlpTracing start(TracingConfig config) {
        OtlpHttpSpanExporter exporter = OtlpHttpSpanExporter.builder()
                .setEndpoint(traces(config.endpoint().orElseThrow()))
                .setTimeout(SEND_WITHIN)
                .setConnectTimeout(CLOSE_WITHIN)
                .build();
        BatchSpanProcessor sender = BatchSpanProcessor.builder(exporter)
                .setMaxQueueSize(QUEUE)
                .setScheduleDelay(SEND_EVERY)
                .setExporterTimeout(SEND_WITHIN)
                .build();
        Resource resource = Resource.getDefault()
                .merge(Resource.create(Attributes.of(AttributeKey.stringKey("service.name"), config.serviceName())));
        return new OtlpTracing(SdkTracerProvider.builder()
                .setResource(resource)
                .setSampler(Sampler.parentBased(Sampler.traceIdRatioBased(config.sampleRatio())))
                .addSpanProcessor(sender)
                .build());
    }

    private static String traces(URI endpoint) {
        String path = endpoint.getPath();
        boolean bare = path == null || path.isEmpty() || path.equals("/");
        return bare ? endpoint.resolve("/v1/traces").toString() : endpoint.toString();
    }

    @Override
    public Span server(String method, String route, Optional<String> traceparent, Optional<String> tracestate) {
        Context parent = Context.root();
        if (traceparent.isPresent()) {
            Map<String, String> headers = Map.of("traceparent", traceparent.get(), "tracestate", tracestate.orElse(""));
            parent = W3CTraceContextPropagator.getInstance().extract(parent, headers, HEADERS);
        }
        return new OtlpSpan(
                tracer,
                tracer.spanBuilder(method + " " + route)
                        .setParent(parent)
                        .setSpanKind(SpanKind.SERVER)
                        .setAttribute("http.request.method", method)
                        .setAttribute("http.route", route)
                        .startSpan());
    }

    @Override
    public void granted(LeaseId lease, LockKey key, Token token, Span request) {
        if (request instanceof OtlpSpan asked && asked.isRecorded()) {
            OtlpSpan hold = asked.child("hold", key);
            hold.token(token);
            holds.began(lease.fingerprint(), hold);
        }
    }

    @Override
    public void happened(LockEvent event) {
        switch (event.type()) {
            case RELEASED -> holds.ended(event, false);
            case EXPIRED, LOST, FORCED -> holds.ended(event, true);
            default -> {} // nothing ends
        }
    }

    @Override
    public void decided(Instant began, long token, Map<String, String> about) {
        SpanBuilder span = tracer.spanBuilder("guard.decision")
                .setNoParent()
                .setStartTimestamp(began)
                .setAttribute("lock.fencing_token", token);
        about.forEach((name, value) -> span.setAttribute("guard." + name, value));
        span.startSpan().end();
    }

    int openHolds() {
        return holds.size();
    }

    @Override
    public void close() {
        holds.close();
        provider.shutdown().join(CLOSE_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
    }
}
