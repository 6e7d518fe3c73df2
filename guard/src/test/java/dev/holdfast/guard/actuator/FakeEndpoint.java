package dev.holdfast.guard.actuator;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/** A local HTTP server whose answers are the test's; requests come one at a time. */
public final class FakeEndpoint implements AutoCloseable {
    /** A request as it came. */
    public record Asked(String method, String path, HttpExchange exchange, String body) {
        public String header(String name) {
            String value = exchange.getRequestHeaders().getFirst(name);
            return value == null ? "" : value;
        }
    }

    /** An answer as it goes; one with code 0 cuts the line, one below 0 is silence until the end. */
    public record Answer(int code, String body) {}

    /** What answers. */
    public interface Answerer {
        Answer answer(Asked asked) throws Exception;
    }

    public final List<Asked> asked = new CopyOnWriteArrayList<>();
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();

    public FakeEndpoint(Answerer answerer) throws IOException {
        this(answerer, asked -> {});
    }

    /** With something to be done when a request has come, before it is its turn to be answered; others are answered meanwhile. */
    public FakeEndpoint(Answerer answerer, Consumer<Asked> arrived) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", exchange -> serve(exchange, answerer, arrived));
        server.start();
    }

    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private void serve(HttpExchange exchange, Answerer answerer, Consumer<Asked> arrived) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        Asked request =
                new Asked(exchange.getRequestMethod(), exchange.getRequestURI().toString(), exchange, body);
        asked.add(request);
        Answer answer;
        try {
            arrived.accept(request);
            synchronized (this) {
                answer = answerer.answer(request);
            }
        } catch (Exception | AssertionError e) {
            answer = new Answer(599, "the test's endpoint failed: " + e);
        }
        if (answer.code() == 0) {
            exchange.close();
            return;
        }
        if (answer.code() < 0) {
            return;
        }
        byte[] bytes = answer.body().getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(answer.code(), bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
