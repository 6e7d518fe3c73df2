package dev.holdfast.testkit.servers;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Takes what webhooks are told, on a free port of this machine. */
public final class WebhookInbox implements AutoCloseable {
    private final HttpServer http;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Message> all = new CopyOnWriteArrayList<>();
    private volatile Runnable first = () -> {};

    /**
     * What came.
     *
     * @param delivery its id
     * @param event what it is about
     * @param body as it came
     */
    public record Message(String delivery, String event, String body) {}

    public WebhookInbox() {
        try {
            http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        http.setExecutor(threads);
        http.createContext("/", exchange -> {
            try (exchange) {
                String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
                all.add(new Message(
                        exchange.getRequestHeaders().getFirst("Holdfast-Delivery"),
                        exchange.getRequestHeaders().getFirst("Holdfast-Event"),
                        body));
                first.run();
                exchange.sendResponseHeaders(204, -1);
            }
        });
        http.start();
    }

    /** Does this with each message that has come, before it is answered. */
    public void beforeAnswering(Runnable other) {
        first = other;
    }

    public URI url() {
        return URI.create("http://127.0.0.1:" + http.getAddress().getPort() + "/hook");
    }

    /** Everything that came, in order. */
    public List<Message> all() {
        return List.copyOf(all);
    }

    @Override
    public void close() {
        http.stop(0);
        threads.shutdownNow();
    }
}
