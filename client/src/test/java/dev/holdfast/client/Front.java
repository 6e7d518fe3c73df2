package dev.holdfast.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** What may stand before a server: passes requests on, or loses them, as told. Remembers what came. */
final class Front implements AutoCloseable {
    /** What becomes of a request. */
    enum Fault {
        /** Never passed on; the line breaks. */
        LOSE_REQUEST,
        /** Passed on and carried out; the line breaks before the answer is back. */
        LOSE_ANSWER,
        /** Not passed on; answered 502, as by a proxy whose server is gone. */
        BAD_GATEWAY,
        /** Not passed on; answered 429. */
        TOO_MANY,
        /** Not passed on; answered 423, which is nothing about a lock of ours. */
        LOCKED_BY_PROXY,
        /** Not passed on; answered 200, as by a proxy that has a page of its own. */
        PAGE_OF_PROXY,
        /** Not passed on; answered 409. */
        CONFLICT_BY_PROXY,
        /** Not passed on; answered 401, as by a server that does not know the token. */
        UNAUTHORIZED,
        /** Not passed on; answered 400, as by a server that does not know a field. */
        NOT_UNDERSTOOD,
        /** Passed on; the answer takes a second longer. */
        SLOW,
        /** Passed on only after what was sent a little later. */
        OVERTAKEN,
        /** Not passed on, and never answered, as by a server that stands still. */
        HANG
    }

    private static final Map<Fault, Integer> WITHOUT_SERVER = Map.of(
            Fault.BAD_GATEWAY, 502,
            Fault.TOO_MANY, 429,
            Fault.LOCKED_BY_PROXY, 423,
            Fault.PAGE_OF_PROXY, 200,
            Fault.CONFLICT_BY_PROXY, 409,
            Fault.NOT_UNDERSTOOD, 400,
            Fault.UNAUTHORIZED, 401);

    private static final List<String> PLAIN = List.of("Content-Type", "Authorization", "If-Match", "If-None-Match");
    private static final List<String> PLAIN_AND_NEW =
            Stream.concat(PLAIN.stream(), Stream.of("Prefer")).toList();

    record SeenRequest(String path, String body) {}

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpClient client = HttpClient.newHttpClient();
    private final String target;
    private final Map<String, ConcurrentLinkedQueue<Fault>> faults = new ConcurrentHashMap<>();
    private final Map<String, Fault> always = new ConcurrentHashMap<>();
    private final Set<HttpExchange> streams = ConcurrentHashMap.newKeySet();
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean older;
    private final List<SeenRequest> seen = new CopyOnWriteArrayList<>();

    Front(String target) throws IOException {
        this.target = target;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** The next request to this path meets this fault; called several times, the next several. */
    void next(String path, Fault fault) {
        faults.computeIfAbsent(path, p -> new ConcurrentLinkedQueue<>()).add(fault);
    }

    /** From now on every request to this path meets this fault, unless another is next. */
    void always(String path, Fault fault) {
        always.put(path, fault);
    }

    /** From now on requests to this path pass undisturbed. */
    void undisturbed(String path) {
        always.remove(path);
    }

    /** From now on the server behind seems to be one that does not know what a request prefers, and knows nothing to tell beside. */
    void seemsOlder() {
        older = true;
    }

    /** Breaks the lines of events that are open. */
    void cutStreams() {
        streams.forEach(HttpExchange::close);
    }

    /** What came to this path. */
    List<SeenRequest> seen(String path) {
        return seen.stream().filter(one -> one.path().equals(path)).toList();
    }

    private void handle(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        byte[] body = exchange.getRequestBody().readAllBytes();
        seen.add(new SeenRequest(path, new String(body, StandardCharsets.UTF_8)));
        ConcurrentLinkedQueue<Fault> planned = faults.get(path);
        Fault next = planned == null ? null : planned.poll();
        Fault fault = next == null ? always.get(path) : next;
        if (fault == Fault.LOSE_REQUEST) {
            exchange.close();
        } else if (fault == Fault.HANG) {
            hang(exchange);
        } else if (fault != null && WITHOUT_SERVER.containsKey(fault)) {
            answer(exchange, WITHOUT_SERVER.get(fault), new byte[0]);
        } else if ("text/event-stream".equals(exchange.getRequestHeaders().getFirst("Accept"))) {
            stream(exchange);
        } else {
            pass(exchange, body, fault);
        }
    }

    /** Line by line, for as long as both ends stay. */
    private void stream(HttpExchange exchange) throws IOException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(target + exchange.getRequestURI()))
                .header("Accept", "text/event-stream")
                .build();
        streams.add(exchange);
        try (exchange) {
            HttpResponse<InputStream> response = client.send(request, BodyHandlers.ofInputStream());
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
            exchange.sendResponseHeaders(response.statusCode(), 0);
            try (InputStream in = response.body();
                    OutputStream out = exchange.getResponseBody()) {
                byte[] buffer = new byte[8192];
                for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                    out.write(buffer, 0, n);
                    out.flush();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            streams.remove(exchange);
        }
    }

    private void pass(HttpExchange exchange, byte[] body, @org.jspecify.annotations.Nullable Fault fault)
            throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(target + exchange.getRequestURI()))
                .timeout(Duration.ofSeconds(90))
                .method(exchange.getRequestMethod(), BodyPublishers.ofByteArray(body));
        for (String header : (older ? PLAIN : PLAIN_AND_NEW)) {
            String value = exchange.getRequestHeaders().getFirst(header);
            if (value != null) {
                request.header(header, value);
            }
        }
        try {
            if (fault == Fault.OVERTAKEN) {
                TimeUnit.MILLISECONDS.sleep(300);
            }
            HttpResponse<byte[]> response = client.send(request.build(), BodyHandlers.ofByteArray());
            if (fault == Fault.LOSE_ANSWER) {
                exchange.close();
                return;
            }
            if (fault == Fault.SLOW) {
                TimeUnit.SECONDS.sleep(1);
            }
            response.headers().map().forEach((name, values) -> {
                boolean known = !older || !name.equalsIgnoreCase("Holdfast-Version");
                if (known && !name.equalsIgnoreCase("Content-Length") && !name.equalsIgnoreCase("Transfer-Encoding")) {
                    exchange.getResponseHeaders().put(name, values);
                }
            });
            answer(exchange, response.statusCode(), response.body());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private void hang(HttpExchange exchange) {
        try {
            ended.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        exchange.close();
    }

    private static void answer(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
        }
        exchange.close();
    }

    @Override
    public void close() {
        ended.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
