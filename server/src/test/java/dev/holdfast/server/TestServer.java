package dev.holdfast.server;

import dev.holdfast.internal.engine.EngineConfig;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.server.auth.RateLimit;
import dev.holdfast.server.auth.login.AuthConfig;
import dev.holdfast.server.config.Settings;
import dev.holdfast.server.http.Route;
import dev.holdfast.server.http.edge.Limits;
import dev.holdfast.server.observe.audit.AuditConfig;
import dev.holdfast.server.observe.tracing.TracingConfig;
import dev.holdfast.server.routes.EventsRoute;
import dev.holdfast.server.routes.RouteTable;
import dev.holdfast.spi.RecordStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A server on a free port, and a client that speaks to it. */
final class TestServer implements AutoCloseable {
    /** What somebody has who says nothing. */
    private static final ServerOptions USUAL =
            ServerSetup.of(Settings.load(List.of("--store=memory:"), Map.of(), Path.of("no-such-directory")));

    /** A server nobody is asked at, on memory. */
    static final ServerOptions OPEN = new Setup(USUAL)
            .listen(new ServerOptions.Listen("127.0.0.1", 0, Optional.empty(), List.of(), List.of()))
            .store("memory:")
            .engine(EngineConfig.DEFAULT)
            .waitersPerNamespace(1_000)
            .events(new EventsRoute.Bounds(100, 1_000, Duration.ofSeconds(10), 100))
            .auth(AuthConfig.UNSET)
            .rate(RateLimit.Config.UNLIMITED)
            .observe(observed(Optional.empty()))
            .grace(Duration.ofSeconds(5))
            .config();

    private static ServerOptions.Observe observed(Optional<AuditConfig> audit) {
        return new ServerOptions.Observe(
                "node-1",
                RouteTable.MetricsAccess.EVERYBODY,
                false,
                true,
                new TracingConfig(Optional.empty(), 0, "holdfast"),
                audit,
                USUAL.observe().dashboard(),
                USUAL.observe().settings(),
                USUAL.observe().notes(),
                USUAL.observe().watching());
    }

    private static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();

    final HoldfastServer server;

    TestServer(HoldfastServer server) {
        this.server = server;
    }

    static TestServer start(ServerOptions config) {
        return new TestServer(HoldfastServer.start(config));
    }

    /** On a store that is open already. */
    static TestServer start(ServerOptions config, RecordStore store) {
        return new TestServer(HoldfastServer.start(config, store, List.of()));
    }

    /** In memory, with more calls than its own. */
    static TestServer with(List<Route> more) {
        return new TestServer(HoldfastServer.start(OPEN, MemoryStore.exclusive(), more));
    }

    static TestServer onMemory() {
        return start(OPEN);
    }

    static ServerOptions on(String store) {
        return OPEN.on(0, store);
    }

    static ServerOptions with(AuthConfig auth) {
        return new Setup().auth(auth).config();
    }

    static ServerOptions with(Limits limits, RateLimit.Config rate) {
        return new Setup().limits(limits).rate(rate).config();
    }

    static ServerOptions auditedBy(AuditConfig audit, String store) {
        return new Setup().store(store).observe(observed(Optional.of(audit))).config();
    }

    String url() {
        return "http://127.0.0.1:" + server.port();
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(url() + path)).timeout(Duration.ofSeconds(90));
    }

    Answer get(String path) {
        return send(request(path).GET());
    }

    Answer post(String path, String json) {
        return send(posting(path, json));
    }

    HttpRequest.Builder posting(String path, String json) {
        return request(path).header("Content-Type", "application/json").POST(BodyPublishers.ofString(json));
    }

    CompletableFuture<Answer> postLater(String path, String json) {
        return CLIENT.sendAsync(posting(path, json).build(), BodyHandlers.ofString())
                .thenApply(Answer::new);
    }

    Answer send(HttpRequest.Builder request) {
        try {
            return new Answer(CLIENT.send(request.build(), BodyHandlers.ofString()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        server.close();
    }

    /** What was answered, with the body read. */
    record Answer(HttpResponse<String> response) {
        int status() {
            return response.statusCode();
        }

        String body() {
            return response.body();
        }

        Json json() {
            return Json.of(body());
        }

        String header(String name) {
            return response.headers().firstValue(name).orElse("");
        }
    }
}
