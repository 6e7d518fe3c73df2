package dev.holdfast.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Hands requests on, and loses the first answer to each of some methods: the server has done it, and the client cannot know. */
final class LossyProxy implements AutoCloseable {
    private final HttpServer proxy;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String target;
    private final Set<String> methods;
    private final List<String> lost = new CopyOnWriteArrayList<>();

    private LossyProxy(HttpServer proxy, String target, Set<String> methods) {
        this.proxy = proxy;
        this.target = target;
        this.methods = methods;
    }

    static LossyProxy before(String target, String... methods) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        LossyProxy proxy = new LossyProxy(server, target, Set.of(methods));
        server.createContext("/", proxy::hand);
        server.setExecutor(proxy.threads);
        server.start();
        return proxy;
    }

    private void hand(HttpExchange exchange) throws IOException {
        try (exchange) {
            String method = exchange.getRequestMethod();
            HttpResponse<byte[]> answer = http.send(
                    HttpRequest.newBuilder(URI.create(target + exchange.getRequestURI()))
                            .method(
                                    method,
                                    HttpRequest.BodyPublishers.ofByteArray(
                                            exchange.getRequestBody().readAllBytes()))
                            .build(),
                    HttpResponse.BodyHandlers.ofByteArray());
            synchronized (lost) {
                if (methods.contains(method) && !lost.contains(method)) {
                    lost.add(method);
                    return; // the connection is closed without a word
                }
            }
            byte[] body = answer.body();
            exchange.sendResponseHeaders(answer.statusCode(), body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    String url() {
        return "http://127.0.0.1:" + proxy.getAddress().getPort();
    }

    /** The methods whose answer was lost, in that order. */
    List<String> lost() {
        return lost;
    }

    @Override
    public void close() {
        proxy.stop(0);
        threads.shutdownNow();
    }
}
