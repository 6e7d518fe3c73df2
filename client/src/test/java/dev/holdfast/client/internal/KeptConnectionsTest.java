package dev.holdfast.client.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.holdfast.testkit.Await;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Against a server that says exactly what a test wants, on as many connections as are made. */
@DisplayName("HTTP with connections that are kept")
@Timeout(120)
class KeptConnectionsTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

    private final SocketHttpClient client = SocketHttpClient.keeping(LONG, Optional.empty());
    private final AtomicInteger connections = new AtomicInteger();
    private final List<Socket> open = new CopyOnWriteArrayList<>();
    private ServerSocket server;
    /** To each request, by its path. */
    private volatile Speaker speaker = (path, socket) -> say(socket, OK);

    private interface Speaker {
        void answer(String path, Socket socket) throws Exception;
    }

    @BeforeEach
    void listen() throws IOException {
        server = new ServerSocket(0, 300, InetAddress.getLoopbackAddress());
        start(() -> {
            while (true) {
                Socket socket = server.accept();
                connections.incrementAndGet();
                open.add(socket);
                start(() -> converse(socket));
            }
        });
    }

    private interface Work {
        void run() throws Exception;
    }

    private static void start(Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (Exception ended) {
                        // by the end of a test, or by the client
                    }
                },
                "server");
        thread.setDaemon(true);
        thread.start();
    }

    private void converse(Socket socket) throws Exception {
        InputStream in = socket.getInputStream();
        for (String path = path(in); path != null; path = path(in)) {
            speaker.answer(path, socket);
        }
        socket.close();
    }

    /** The path of the next request, which has no body; null at the end. */
    private static @Nullable String path(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                return null;
            }
            head.append((char) next);
        }
        return head.substring(head.indexOf(" ") + 1, head.indexOf(" HTTP"));
    }

    private static void say(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    @AfterEach
    void stop() throws IOException {
        client.close();
        server.close();
        for (Socket socket : open) {
            socket.close();
        }
    }

    private HttpRequest request(String path, Duration timeout) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.getLocalPort() + path))
                .timeout(timeout)
                .POST(BodyPublishers.noBody())
                .build();
    }

    private String ask(String path) throws Exception {
        return client.send(request(path, LONG), BodyHandlers.ofString()).body();
    }

    @Test
    @DisplayName("are used for one request after the other")
    void again() throws Exception {
        for (int i = 0; i < 20; i++) {
            assertThat(ask("/")).isEqualTo("ok");
        }
        assertThat(connections).hasValue(1);
    }

    @Test
    @DisplayName("are as many as there are requests at once, and the same ones serve the next")
    void several() throws Exception {
        CountDownLatch all = new CountDownLatch(8);
        speaker = (path, socket) -> {
            all.countDown();
            all.await();
            say(socket, OK);
        };
        List<CompletableFuture<HttpResponse<String>>> asked = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            asked.add(client.sendAsync(request("/", LONG), BodyHandlers.ofString()));
        }
        for (CompletableFuture<HttpResponse<String>> one : asked) {
            assertThat(one.join().body()).isEqualTo("ok");
        }
        for (int i = 0; i < 8; i++) {
            ask("/");
        }
        assertThat(connections).hasValue(8);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 500 No\r\n\r\n"
            })
    @DisplayName("are not kept if the server says so, is an old one, or has said more than the answer")
    void notKept(String answer) throws Exception {
        speaker = (path, socket) -> say(socket, answer);
        assertThat(ask("/")).isEqualTo("ok");
        assertThat(ask("/")).isEqualTo("ok");
        assertThat(connections).hasValue(2);
    }

    @Test
    @DisplayName("are not kept if an answer ends with its connection, and are after chunks and answers without a body")
    void ends() throws Exception {
        speaker = (path, socket) -> {
            switch (path) {
                case "/chunks" ->
                    say(socket, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n");
                case "/none" -> say(socket, "HTTP/1.1 204 None\r\n\r\n");
                default -> {
                    say(socket, "HTTP/1.1 200 OK\r\n\r\nok");
                    socket.close();
                }
            }
        };
        assertThat(ask("/chunks")).isEqualTo("ok");
        assertThat(ask("/none")).isEmpty();
        assertThat(ask("/to-the-end")).isEqualTo("ok");
        assertThat(connections).hasValue(1);
        assertThat(ask("/chunks")).isEqualTo("ok");
        assertThat(connections).hasValue(2);
    }

    @Test
    @DisplayName("that the server has closed meanwhile are noticed before anything is sent")
    void closedByServer() throws Exception {
        for (int i = 0; i < 5; i++) {
            assertThat(ask("/")).isEqualTo("ok");
            Socket last = open.get(open.size() - 1);
            last.close();
            Await.until("it is closed", last::isClosed);
        }
        assertThat(connections).hasValue(5);
    }

    @Test
    @DisplayName("are closed when a request on them ran out of time, and no later one gets its late answer")
    void late() throws Exception {
        speaker = (path, socket) -> {
            if (path.equals("/late")) {
                Thread.sleep(500);
                say(socket, "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nlate");
            } else {
                say(socket, OK);
            }
        };
        ask("/");
        Throwable failure =
                catchThrowable(() -> client.send(request("/late", Duration.ofMillis(100)), BodyHandlers.ofString()));
        assertThat(failure).isInstanceOf(HttpTimeoutException.class);
        for (int i = 0; i < 5; i++) {
            assertThat(ask("/")).isEqualTo("ok");
        }
        assertThat(connections).hasValue(2);
    }

    @Test
    @DisplayName("whoever is told of an answer can ask the next question over the same one")
    void fromTheAnswer() {
        CompletableFuture<HttpResponse<String>> all = client.sendAsync(request("/", LONG), BodyHandlers.ofString());
        for (int i = 0; i < 10; i++) {
            all = all.thenCompose(answer -> client.sendAsync(request("/", LONG), BodyHandlers.ofString()));
        }
        assertThat(all.join().body()).isEqualTo("ok");
        assertThat(connections).hasValue(1);
    }

    @Test
    @DisplayName("are closed with the client")
    void closed() throws Exception {
        ask("/");
        client.close();
        Await.until("the server notices", () -> open.get(0).isClosed());
    }

    @Test
    @DisplayName("leave no thread behind when the client is closed, and what is asked for after that fails")
    void threadsEnd() throws Exception {
        ThreadGroup its = new ThreadGroup("asking"); // threads belong to the group of whoever made them
        Thread asking = new Thread(
                its,
                () -> client.sendAsync(request("/", LONG), BodyHandlers.ofString())
                        .join());
        ClassLoader ofCaller = new ClassLoader() {};
        asking.setContextClassLoader(ofCaller);
        asking.start();
        asking.join();
        Thread[] left = new Thread[10];
        int count = its.enumerate(left);
        assertThat(count).isPositive();
        for (int i = 0; i < count; i++) {
            assertThat(left[i].getContextClassLoader()).isNotSameAs(ofCaller);
        }
        client.close();
        Await.until("all have ended", () -> its.activeCount() == 0);
        assertThat(catchThrowable(() -> ask("/"))).isInstanceOf(IOException.class);
    }

    @Test
    @DisplayName("have room for a limited number of requests at once")
    void room() {
        CountDownLatch end = new CountDownLatch(1);
        speaker = (path, socket) -> {
            end.await();
            say(socket, OK);
        };
        List<CompletableFuture<HttpResponse<String>>> asked = new ArrayList<>();
        for (int i = 0; i < SocketHttpClient.MOST_UNDER_WAY; i++) {
            assertThat(client.hasRoom()).isTrue();
            asked.add(client.sendAsync(request("/", LONG), BodyHandlers.ofString()));
        }
        assertThat(client.hasRoom()).isFalse();
        end.countDown();
        asked.forEach(CompletableFuture::join);
        Await.until("there is room again", client::hasRoom);
    }
}
