package dev.holdfast.server.notify;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.holdfast.internal.parts.DaemonThreads;
import dev.holdfast.testkit.Await;
import dev.holdfast.wire.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.ToIntFunction;

/** A receiver of webhooks on a free port. It answers 200 unless a test says otherwise. */
public final class WebhookServer implements AutoCloseable {
    /** Such as a chat system puts into an address: nobody may see it. */
    public static final String PATH = "/services/T0KEN-in-the-path";

    public static final String SECRET = "a-secret-of-the-tests-0123456789";

    private final HttpServer http;
    private final ExecutorService threads = Executors.newCachedThreadPool(DaemonThreads.numbered("webhook-server"));
    private final List<Delivery> all = new CopyOnWriteArrayList<>();
    private final CountDownLatch closing = new CountDownLatch(1);
    private volatile ToIntFunction<Delivery> answer = delivery -> 200;
    private volatile boolean silent;

    /**
     * What came.
     *
     * @param status what was answered
     */
    public record Delivery(String id, String event, String signature, String body, int status) {
        public Json json() {
            return Json.parse(body.getBytes(StandardCharsets.UTF_8));
        }

        public String text(String field) {
            return json().at(field).plain();
        }

        boolean isTaken() {
            return status == 200;
        }
    }

    public WebhookServer() {
        try {
            http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        http.setExecutor(threads);
        http.createContext("/", this::receive);
        http.start();
    }

    /** Answers with this status from now on. */
    public WebhookServer answering(int status) {
        return answering(delivery -> status);
    }

    public WebhookServer answering(ToIntFunction<Delivery> other) {
        answer = other;
        return this;
    }

    /** Takes what comes and never answers. */
    void silent() {
        silent = true;
    }

    private void receive(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            Delivery came = new Delivery(
                    header(exchange, "Holdfast-Delivery"),
                    header(exchange, "Holdfast-Event"),
                    header(exchange, "Holdfast-Signature"),
                    body,
                    0);
            int status = answer.applyAsInt(came);
            all.add(new Delivery(came.id(), came.event(), came.signature(), body, status));
            if (silent) {
                closing.await();
            }
            if (status / 100 == 3) {
                exchange.getResponseHeaders().add("Location", "http://127.0.0.1:" + port() + "/elsewhere");
            }
            byte[] words = "words of the receiver".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, words.length);
            exchange.getResponseBody().write(words);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String header(HttpExchange exchange, String name) {
        return Optional.ofNullable(exchange.getRequestHeaders().getFirst(name)).orElse("");
    }

    private int port() {
        return http.getAddress().getPort();
    }

    public URI url() {
        return URI.create("http://127.0.0.1:" + port() + PATH);
    }

    /** Everything that came, in order. */
    public List<Delivery> all() {
        return List.copyOf(all);
    }

    /** What it took. */
    public List<Delivery> taken() {
        return all.stream().filter(Delivery::isTaken).toList();
    }

    /** The names of the locks of what it took, in order. */
    List<String> names() {
        return taken().stream().map(delivery -> delivery.text("name")).toList();
    }

    public void awaitTaken(int count) {
        Await.until(count + " are taken, " + taken().size() + " are", () -> taken().size() >= count);
    }

    public void awaitAttempts(int count) {
        Await.until(count + " attempts", () -> all.size() >= count);
    }

    /** As a webhook of this id that hears everything. */
    public Webhook hook(String id) {
        return hook(id, Set.of(NoticeKind.values()), Webhook.Format.JSON);
    }

    Webhook hook(String id, Set<NoticeKind> kinds, Webhook.Format format) {
        return new Webhook(id, url(), Optional.of(SECRET), kinds, List.of(), List.of(), format);
    }

    @Override
    public void close() {
        closing.countDown();
        http.stop(0);
        threads.shutdownNow();
    }
}
