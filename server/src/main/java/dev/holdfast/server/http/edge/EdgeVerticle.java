package dev.holdfast.server.http.edge;

import dev.holdfast.server.http.ErrorStyle;
import dev.holdfast.server.http.Problem;
import dev.holdfast.server.http.Reply;
import io.vertx.core.AbstractVerticle;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.ServerSSLOptions;
import io.vertx.core.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Listens on one event loop; several of them share the port. */
public final class EdgeVerticle extends AbstractVerticle {
    private final HttpEdge edge;
    private final HttpServerOptions options;
    private final AtomicInteger open;
    private @Nullable HttpServer server;

    /** @param open counts the connections of all event loops */
    public EdgeVerticle(HttpEdge edge, HttpServerOptions options, AtomicInteger open) {
        this.edge = edge;
        this.options = options;
        this.open = open;
    }

    /** What Vert.x must know of these limits. */
    public static HttpServerOptions options(Limits limits) {
        return new HttpServerOptions()
                .setMaxInitialLineLength(limits.url())
                .setMaxHeaderSize(limits.headers())
                .setIdleTimeout((int) limits.idle().toSeconds())
                .setIdleTimeoutUnit(TimeUnit.SECONDS)
                .setHandle100ContinueAutomatically(true)
                .setHttp2ClearTextEnabled(false)
                .setCompressionSupported(false)
                .setRegisterWebSocketWriteHandlers(false)
                .setTcpNoDelay(true);
    }

    @Override
    public void start(Promise<Void> started) {
        EdgeConnections connections = new EdgeConnections(vertx, edge, open);
        HttpServer listening = vertx.createHttpServer(options)
                .connectionHandler(connections::opened)
                .requestHandler(request -> edge.handle(request, connections))
                .invalidRequestHandler(EdgeVerticle::refuse)
                .exceptionHandler(failure -> {}); // a connection that broke before its first request
        server = listening;
        // Port 0 is any port, but the same for all verticles.
        SocketAddress where = options.getPort() == 0
                ? SocketAddress.sharedRandomPort(1, options.getHost())
                : SocketAddress.inetSocketAddress(options.getPort(), options.getHost());
        listening.listen(where).<Void>mapEmpty().onComplete(started);
    }

    public int port() {
        return listening().actualPort();
    }

    /** New connections see these certificates. */
    public Future<Boolean> certificates(ServerSSLOptions ssl) {
        return listening().updateSSLOptions(ssl);
    }

    private HttpServer listening() {
        if (server == null) {
            throw new IllegalStateException("not started");
        }
        return server;
    }

    /** What is not HTTP, or more of it than allowed. */
    private static void refuse(HttpServerRequest request) {
        Throwable cause = request.decoderResult().cause();
        String name = cause.getClass().getSimpleName();
        int status = name.startsWith("TooLongHttpLine") ? 414 : name.startsWith("TooLongHttpHeader") ? 431 : 400;
        String detail = switch (status) {
            case 414 -> "The request line is too long";
            case 431 -> "The headers are too large";
            default -> "This is not a valid HTTP request";
        };
        Reply reply = ErrorStyle.PROBLEM.reply(Problem.of(status, "invalid-http", detail), "none");
        request.response()
                .setStatusCode(status)
                .putHeader("Content-Type", reply.contentType())
                .putHeader("Connection", "close")
                .end(reply.body())
                .onComplete(done -> request.connection().close());
    }
}
