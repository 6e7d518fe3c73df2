package dev.holdfast.testkit.servers;

import dev.holdfast.internal.parts.DaemonThreads;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A proxy in front of an HTTP server on this machine. It lets one request at a time to a path, unless that only reads, so that a server
 * whose check and write are two steps looks as if they were one. What happens to a request on its way is a {@link Passage}, which
 * a test may replace: to lose the answer, to make one up, to keep it for a while, to change a header.
 *
 * <p>Knows HTTP/1.1 with bodies of a told length, which is what clients of stores send.
 */
public final class HttpFront implements AutoCloseable {
    /** Headers that belong to one connection, or that the client for the other side sets itself. */
    private static final Set<String> NOT_PASSED =
            Set.of("connection", "content-length", "expect", "host", "keep-alive", "transfer-encoding", "upgrade");

    private static final Charset BYTES = StandardCharsets.ISO_8859_1;
    private static final int MAX_HEAD = 64 * 1024;
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private final URI target;
    private final ServerSocket listening;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Map<String, Object> turns = new ConcurrentHashMap<>();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile Passage passage = (request, server) -> Optional.of(server.send(request));

    /** What happens to a request. Empty: the connection is closed without an answer. */
    public interface Passage {
        /** Called for each request, on a thread of its connection. */
        Optional<Answer> pass(Request request, Server server) throws IOException;
    }

    /** The server behind. */
    public interface Server {
        /** Sends it the request, in its turn. */
        Answer send(Request request) throws IOException;
    }

    /** A request; the names of headers are in small letters, a character of the body is a byte. */
    public record Request(String method, String path, Map<String, String> headers, String body) {
        public Request without(String header) {
            Map<String, String> others = new TreeMap<>(headers);
            others.remove(header);
            return new Request(method, path, others, body);
        }
    }

    /** An answer; the names of headers are in small letters, a character of the body is a byte. */
    public record Answer(int status, Map<String, String> headers, String body) {
        public static Answer of(int status, String type, String text) {
            return new Answer(status, Map.of("content-type", type), text);
        }

        /** The same with another value of a header. */
        public Answer with(String header, String value) {
            Map<String, String> all = new TreeMap<>(headers);
            all.put(header, value);
            return new Answer(status, all, body);
        }
    }

    /** A front of the server on this port; {@link #port()} is its near end. */
    public HttpFront(int target) {
        this.target = URI.create("http://127.0.0.1:" + target);
        try {
            this.listening = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        DaemonThreads.start("front", this::accept);
    }

    public int port() {
        return listening.getLocalPort();
    }

    /** From now on requests pass so. */
    public void through(Passage other) {
        passage = other;
    }

    /** From now on requests pass undisturbed. */
    public void undisturbed() {
        passage = (request, server) -> Optional.of(server.send(request));
    }

    @Override
    public void close() {
        CuttableLine.close(listening);
        open.forEach(CuttableLine::close);
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket near = listening.accept();
                near.setTcpNoDelay(true);
                open.add(near);
                DaemonThreads.start("front", () -> serve(near));
            } catch (IOException e) {
                if (listening.isClosed()) {
                    return;
                }
            }
        }
    }

    private void serve(Socket near) {
        try (near) {
            InputStream in = new BufferedInputStream(near.getInputStream());
            OutputStream out = near.getOutputStream();
            for (Optional<Request> next = read(in); next.isPresent(); next = read(in)) {
                Optional<Answer> answer = passage.pass(next.get(), this::send);
                if (answer.isEmpty()) {
                    return;
                }
                write(out, next.get().method(), answer.get());
            }
        } catch (IOException e) {
            // one end is gone, and with it the connection
        } finally {
            open.remove(near);
        }
    }

    private Answer send(Request request) throws IOException {
        boolean reads = request.method().equals("GET") || request.method().equals("HEAD");
        if (reads) {
            return sendNow(request);
        }
        synchronized (turns.computeIfAbsent(request.path(), path -> new Object())) {
            return sendNow(request);
        }
    }

    private Answer sendNow(Request request) throws IOException {
        HttpRequest.Builder passed = HttpRequest.newBuilder(target.resolve(request.path()))
                .method(
                        request.method(),
                        request.body().isEmpty()
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(request.body(), BYTES))
                .timeout(LIMIT);
        request.headers().forEach((name, value) -> {
            if (!NOT_PASSED.contains(name)) {
                passed.header(name, value);
            }
        });
        try {
            HttpResponse<String> told = client.send(passed.build(), HttpResponse.BodyHandlers.ofString(BYTES));
            Map<String, String> headers = new TreeMap<>();
            told.headers().map().forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values.get(0)));
            return new Answer(told.statusCode(), headers, told.body());
        } catch (InterruptedException e) {
            throw new IOException("interrupted", e);
        }
    }

    // ---- HTTP

    private static Optional<Request> read(InputStream in) throws IOException {
        String head = head(in);
        if (head.isEmpty()) {
            return Optional.empty();
        }
        List<String> lines = head.lines().toList();
        String[] first = lines.get(0).split(" ", -1);
        Map<String, String> headers = new TreeMap<>();
        for (String line : lines.subList(1, lines.size())) {
            int colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).trim());
        }
        int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
        byte[] body = in.readNBytes(length);
        if (body.length < length) {
            return Optional.empty(); // whoever sent it was killed: no server takes a part for the whole
        }
        return Optional.of(new Request(first[0], first[1], headers, new String(body, BYTES)));
    }

    /** Up to the empty line; empty text at the end of the connection. */
    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n", Math.max(0, head.length() - 4)) < 0) {
            int next = in.read();
            if (next < 0) {
                return "";
            }
            if (head.length() > MAX_HEAD) {
                throw new IOException("the head of a request is longer than " + MAX_HEAD);
            }
            head.append((char) next);
        }
        return head.substring(0, head.length() - 4);
    }

    private static void write(OutputStream out, String method, Answer answer) throws IOException {
        StringBuilder head = new StringBuilder("HTTP/1.1 " + answer.status() + " Told\r\n");
        boolean bodiless = method.equals("HEAD") || answer.status() == 204 || answer.status() == 304;
        answer.headers().forEach((name, value) -> {
            if (!NOT_PASSED.contains(name)) {
                head.append(name).append(": ").append(value).append("\r\n");
            }
        });
        if (!bodiless) {
            head.append("content-length: ").append(answer.body().length()).append("\r\n");
        } else if (method.equals("HEAD") && answer.headers().containsKey("content-length")) {
            head.append("content-length: ") // of what a GET would give
                    .append(answer.headers().get("content-length"))
                    .append("\r\n");
        }
        out.write(head.append("\r\n").toString().getBytes(BYTES));
        if (!bodiless) {
            out.write(answer.body().getBytes(BYTES));
        }
        out.flush();
    }
}
