package dev.holdfast.server.observe.tracing;

import static dev.holdfast.server.observe.Events.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.holdfast.model.EventType;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.Token;
import dev.holdfast.server.observe.Events;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TracingTest {
    private static final LockKey JOB = LockKey.of("billing", "invoice-run");
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final Optional<String> PARENT = Optional.of("00-" + TRACE + "-b7ad6b7169203331-01");

    /** The flag 02 says that the trace id is random; 01 would say that it is recorded. */
    private static final String NOT_RECORDED = "00-[0-9a-f]{32}-[0-9a-f]{16}-0[02]";

    private final ByteArrayOutputStream received = new ByteArrayOutputStream();
    private final List<String> requests = Collections.synchronizedList(new ArrayList<>());
    private HttpServer collector;

    @BeforeEach
    void startCollector() throws IOException {
        collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        collector.createContext("/", exchange -> {
            var headers = exchange.getRequestHeaders();
            requests.add(exchange.getRequestURI().getPath() + " " + headers.getFirst("Content-Type"));
            var body = "gzip".equals(headers.getFirst("Content-Encoding"))
                    ? new GZIPInputStream(exchange.getRequestBody())
                    : exchange.getRequestBody();
            synchronized (received) {
                body.transferTo(received);
            }
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        collector.start();
    }

    @AfterEach
    void stopCollector() {
        collector.stop(0);
    }

    @Test
    @DisplayName("a request, its acquire, the hold and a renewal reach the collector, with what they are about")
    void spansArrive() {
        try (Tracing tracing = Tracing.start(config(1))) {
            Span request = tracing.server("POST", "/v2/locks/acquire", PARENT, Optional.of("vendor=1"));
            Span acquire = request.child("acquire", JOB);
            tracing.granted(Events.LEASE, JOB, new Token(77), request);
            acquire.token(new Token(77)).end("granted", false);
            request.end("200", false);

            Span again = tracing.server("POST", "/v2/locks/renew", PARENT, Optional.empty());
            again.child("renew", JOB).end("renewed", false);
            again.end("200", false);
            tracing.happened(event(EventType.EXPIRED, JOB, Duration.ofSeconds(5)));
        }

        assertThat(requests).isNotEmpty().allMatch("/v1/traces application/x-protobuf"::equals);
        assertThat(text())
                .contains("POST /v2/locks/acquire", "acquire", "hold", "POST /v2/locks/renew", "renew")
                .contains("lock.namespace", "billing", "lock.name", "invoice-run", "lock.fencing_token", "lock.outcome")
                .contains("granted", "renewed", "expired", "holdfast-test", "vendor=1");
        assertThat(HexFormat.of().formatHex(bytes())).contains(TRACE);
    }

    @Test
    @DisplayName("the caller's trace goes on, and is told in the answer")
    void contextInAndOut() {
        try (Tracing tracing = Tracing.start(config(0))) {
            assertThat(tracing.server("GET", "/v2/locks", PARENT, Optional.empty())
                            .traceparent())
                    .hasValueSatisfying(told -> assertThat(told)
                            .startsWith("00-" + TRACE + "-")
                            .endsWith("-01")
                            .isNotEqualTo(PARENT.get()));
            assertThat(tracing.server("GET", "/v2/locks", Optional.empty(), Optional.empty())
                            .traceparent())
                    .as("nobody asked, and the ratio is 0")
                    .hasValueSatisfying(told -> assertThat(told).matches(NOT_RECORDED));
            assertThat(tracing.server("GET", "/v2/locks", Optional.of("garbage\n"), Optional.of("\u0000"))
                            .traceparent())
                    .hasValueSatisfying(told -> assertThat(told).matches(NOT_RECORDED));
        }
    }

    @Test
    @DisplayName("a hold ends with the event of its end, whichever process wrote it")
    void holdsEnd() {
        try (OtlpTracing tracing = OtlpTracing.start(config(1))) {
            Span request = tracing.server("POST", "/v2/locks/acquire", Optional.empty(), Optional.empty());
            tracing.granted(Events.LEASE, JOB, new Token(7), request);
            assertThat(tracing.openHolds()).isEqualTo(1);

            tracing.happened(event(EventType.STALE, JOB, Duration.ofSeconds(5)));
            assertThat(tracing.openHolds()).isEqualTo(1);
            tracing.happened(event(EventType.RELEASED, JOB, Duration.ofSeconds(5)));
            assertThat(tracing.openHolds()).isZero();
        }
    }

    @Test
    @DisplayName("holds whose end is never told are bounded")
    void holdsAreBounded() {
        try (OtlpTracing tracing = OtlpTracing.start(config(1))) {
            Span request = tracing.server("POST", "/v2/locks/acquire", Optional.empty(), Optional.empty());
            for (int i = 0; i < OpenHolds.MAX + 500; i++) {
                tracing.granted(new LeaseId("lease-number-" + i), JOB, new Token(i), request);
            }
            assertThat(tracing.openHolds()).isEqualTo(OpenHolds.MAX);
        }
    }

    @Test
    @DisplayName("a collector that is away, or accepts and never answers, holds up nobody")
    void collectorIsAway() throws IOException {
        collector.stop(0);
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            for (int port : List.of(collector.getAddress().getPort(), silent.getLocalPort())) {
                Tracing tracing = Tracing.start(
                        new TracingConfig(Optional.of(URI.create("http://127.0.0.1:" + port)), 1, "holdfast-test"));
                long start = System.nanoTime();
                for (int i = 0; i < 20_000; i++) {
                    Span span = tracing.server("GET", "/v2/locks", Optional.empty(), Optional.empty());
                    span.child("acquire", JOB).end("granted", false);
                    span.end("200", false);
                }
                Duration took = Duration.ofNanos(System.nanoTime() - start);
                start = System.nanoTime();
                tracing.close();

                assertThat(took).isLessThan(Duration.ofSeconds(5));
                assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(4));
            }
        }
    }

    @Test
    @DisplayName("without a collector nothing is traced, and nothing of OpenTelemetry is needed")
    void off() {
        Tracing tracing = Tracing.start(new TracingConfig(Optional.empty(), 0, "holdfast"));

        assertThat(tracing).isSameAs(Tracing.NONE);
        assertThat(tracing.server("GET", "/v2/locks", PARENT, Optional.empty())).isSameAs(Span.NONE);
        assertThat(Span.NONE.traceparent()).isEmpty();
    }

    @Test
    @DisplayName("settings that make no sense are refused")
    void refused() {
        assertThatThrownBy(() -> config(1.5)).hasMessageContaining("between 0 and 1");
        assertThatThrownBy(() -> config(Double.NaN)).hasMessageContaining("between 0 and 1");
        assertThatThrownBy(() -> new TracingConfig(Optional.of(URI.create("collector:4318")), 1, "x"))
                .hasMessageContaining("http://collector:4318");
    }

    private TracingConfig config(double ratio) {
        URI endpoint = URI.create("http://127.0.0.1:" + collector.getAddress().getPort());
        return new TracingConfig(Optional.of(endpoint), ratio, "holdfast-test");
    }

    private String text() {
        return new String(bytes(), StandardCharsets.ISO_8859_1);
    }

    private byte[] bytes() {
        synchronized (received) {
            return received.toByteArray();
        }
    }
}
