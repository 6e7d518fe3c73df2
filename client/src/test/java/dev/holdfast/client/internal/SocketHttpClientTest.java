package dev.holdfast.client.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.client.ServerConfig;
import dev.holdfast.client.ServerHttp;
import dev.holdfast.testkit.Await;
import dev.holdfast.testkit.servers.Certificates;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Against a server that says exactly what a test wants, byte for byte. */
@DisplayName("HTTP with a connection for each request")
@Timeout(120)
class SocketHttpClientTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    /** More than a system keeps for a server that does not read. */
    private static final byte[] LARGE = new byte[20 * 1024 * 1024];

    private final SocketHttpClient client = new SocketHttpClient(LONG, Optional.empty());
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private ServerSocket server;

    @BeforeEach
    void listen() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void stop() throws IOException {
        client.close();
        server.close();
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:" + server.getLocalPort() + path);
    }

    /** Says this to the next request, and closes; {@code \n} stands for the end of a line. */
    private void answers(String said) {
        serve(socket ->
                socket.getOutputStream().write(said.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8)));
    }

    private interface Reaction {
        void to(Socket socket) throws Exception;
    }

    private void serve(Reaction reaction) {
        accept(socket -> {
            asked.add(request(socket.getInputStream()));
            reaction.to(socket);
        });
    }

    private void accept(Reaction reaction) {
        Thread thread = new Thread(
                () -> {
                    try (Socket socket = server.accept()) {
                        reaction.to(socket);
                    } catch (Exception e) {
                        asked.add("failed: " + e);
                    }
                },
                "server");
        thread.setDaemon(true);
        thread.start();
    }

    /** Head and body, if its length is named. */
    private static String request(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                return head.toString();
            }
            head.append((char) next);
        }
        int length = head.toString()
                .lines()
                .filter(line -> line.startsWith("Content-Length: "))
                .mapToInt(line -> Integer.parseInt(line.substring("Content-Length: ".length())))
                .findFirst()
                .orElse(0);
        return head + new String(in.readNBytes(length), StandardCharsets.UTF_8);
    }

    private HttpRequest get() {
        return HttpRequest.newBuilder(uri("/a?b=c")).timeout(LONG).build();
    }

    private String body() throws Exception {
        return client.send(get(), BodyHandlers.ofString()).body();
    }

    @Test
    @DisplayName("it sends what was asked, whole, and says that the connection ends with it")
    void sends() throws Exception {
        answers("HTTP/1.1 200 OK\nContent-Length: 2\nX-One: 1\nX-One: 2\n\nok");
        HttpResponse<String> response = client.send(
                HttpRequest.newBuilder(uri("/locks?x=%20"))
                        .header("X-Name", "value")
                        .method("LOCK", BodyPublishers.ofString("{\"ä\":1}"))
                        .build(),
                BodyHandlers.ofString());
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo("ok");
        assertThat(response.headers().allValues("x-one")).containsExactly("1", "2");
        assertThat(asked)
                .containsExactly("LOCK /locks?x=%20 HTTP/1.1\r\nHost: 127.0.0.1:" + server.getLocalPort()
                        + "\r\nConnection: close\r\nContent-Length: 8\r\nX-Name: value\r\n\r\n{\"ä\":1}");
    }

    @Test
    @DisplayName("a body ends with its length, its last chunk or the connection, whatever comes before the answer")
    void bodies() throws Exception {
        answers("HTTP/1.1 200 OK\ncontent-length: 3\n\nabcdef");
        assertThat(body()).isEqualTo("abc");
        answers("HTTP/1.1 200\nTransfer-Encoding: Chunked\n\n3;x=y\nabc\nA\n0123456789\n0\nTrailer: t\n\n");
        assertThat(body()).isEqualTo("abc0123456789");
        answers("HTTP/1.0 200 OK\n\nall of it");
        assertThat(body()).isEqualTo("all of it");
        answers("HTTP/1.1 103 Early Hints\nLink: x\n\nHTTP/1.1 204 No Content\n\n");
        assertThat(client.send(get(), BodyHandlers.ofString()).statusCode()).isEqualTo(204);
        answers("HTTP/1.1 200 OK\nContent-Length: 5\n\n");
        HttpRequest head = HttpRequest.newBuilder(uri("/"))
                .method("HEAD", BodyPublishers.noBody())
                .build();
        assertThat(client.send(head, BodyHandlers.ofString()).body()).isEmpty();
    }

    @ParameterizedTest
    @DisplayName("an answer that ends too early is never taken for a whole one")
    @ValueSource(
            strings = {
                "",
                "HTTP/1.1 20",
                "HTTP/1.1 200 OK\nContent-Length: 5\n",
                "HTTP/1.1 200 OK\nContent-Length: 5\n\nabc",
                "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n",
                "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n5\nabc",
                "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n3\nabc\n",
                "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n3\nabc\n0\n"
            })
    void truncated(String said) {
        answers(said);
        // Word for word what the line to a server recognises as a connection that was closed.
        assertThatExceptionOfType(EOFException.class).isThrownBy(this::body).withMessageContaining("EOF");
    }

    @ParameterizedTest
    @DisplayName("what is not HTTP/1.1 is refused")
    @ValueSource(
            strings = {
                "SSH-2.0-x\n",
                "HTTP/2 200\n\n",
                "HTTP/1.1 999 no\n\n",
                "HTTP/1.1 101 Switching Protocols\n\n",
                "HTTP/1.1 200 OK\nno colon\n\n",
                "HTTP/1.1 200 OK\nA : b\n\n",
                "HTTP/1.1 200 OK\nA: b\n folded\n\n",
                "HTTP/1.1 200 OK\nContent-Length: -1\n\n",
                "HTTP/1.1 200 OK\nContent-Length: +1\n\na",
                "HTTP/1.1 200 OK\nContent-Length: 1\nContent-Length: 2\n\nab",
                "HTTP/1.1 200 OK\nContent-Length: 99999999999999999999\n\na",
                "HTTP/1.1 200 OK\nTransfer-Encoding: gzip\n\n",
                "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\nxyz\n",
                "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n1\nabc\n0\n\n"
            })
    void notHttp(String said) {
        answers(said);
        assertThatExceptionOfType(ProtocolException.class).isThrownBy(this::body);
    }

    @Test
    @DisplayName("headers without an end are not read for ever")
    void endlessHeaders() {
        answers("HTTP/1.1 200 OK\n" + "A: b\n".repeat(20_000));
        assertThatExceptionOfType(IOException.class).isThrownBy(this::body).withMessageContaining("65536");
    }

    @Test
    @DisplayName("who is not there was sent nothing; who does not answer may have been")
    void failures() throws Exception {
        URI gone = uri("/");
        answers("HTTP/1.1 200 OK\n\n");
        client.send(HttpRequest.newBuilder(gone).build(), BodyHandlers.discarding());
        server.close();
        assertThatExceptionOfType(ConnectException.class)
                .isThrownBy(() -> client.send(HttpRequest.newBuilder(gone).build(), BodyHandlers.ofString()));
        assertThatExceptionOfType(ConnectException.class)
                .isThrownBy(() -> client.send(
                        HttpRequest.newBuilder(URI.create("http://no-such-host.invalid/"))
                                .build(),
                        BodyHandlers.ofString()))
                .withCauseInstanceOf(UnresolvedAddressException.class);

        listen();
        timesOut(
                BodyPublishers.noBody(),
                () -> serve(socket -> socket.getInputStream().read())); // until the other side gives up
        timesOut(
                BodyPublishers.noBody(),
                () -> serve(socket -> {
                    socket.getOutputStream()
                            .write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab".getBytes(StandardCharsets.UTF_8));
                    socket.getInputStream().read();
                }));
    }

    /** After it was sent; a busy machine that does not even connect in so short a time is given more. */
    private void timesOut(HttpRequest.BodyPublisher body, Runnable server) {
        for (Duration limit : List.of(Duration.ofMillis(200), Duration.ofSeconds(2), LONG)) {
            server.run();
            HttpRequest request = HttpRequest.newBuilder(uri("/"))
                    .method("POST", body)
                    .timeout(limit)
                    .build();
            Throwable failure = catchThrowable(() -> client.send(request, BodyHandlers.ofString()));
            if (!(failure instanceof HttpConnectTimeoutException)) {
                assertThat(failure).isInstanceOf(HttpTimeoutException.class);
                return;
            }
        }
        throw new AssertionError("it never connected");
    }

    @Test
    @DisplayName("a long request to a server that does not read ends when its time is up")
    void notRead() {
        timesOut(BodyPublishers.ofByteArray(LARGE), () -> {}); // nobody accepts: the system does
        Await.until("its thread has ended", () -> threads() == 0);
    }

    @Test
    @DisplayName("an answer that comes, and then the end, before all of a request is sent is heard")
    void early() throws Exception {
        accept(socket -> {
            socket.getInputStream().read(); // and no more
            socket.getOutputStream()
                    .write("HTTP/1.1 413 Too Large\r\nContent-Length: 4\r\n\r\nless".getBytes(StandardCharsets.UTF_8));
        });
        HttpResponse<String> response = client.send(
                HttpRequest.newBuilder(uri("/"))
                        .timeout(LONG)
                        .POST(BodyPublishers.ofByteArray(LARGE))
                        .build(),
                BodyHandlers.ofString());
        assertThat(response.statusCode()).isEqualTo(413);
        assertThat(response.body()).isEqualTo("less");
    }

    @Test
    @DisplayName("a request that fails halfway without an answer says so")
    void halfway() {
        accept(socket -> socket.getInputStream().read());
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> client.send(
                        HttpRequest.newBuilder(uri("/"))
                                .timeout(LONG)
                                .POST(BodyPublishers.ofByteArray(LARGE))
                                .build(),
                        BodyHandlers.ofString()))
                .matches(failure -> !ServerHttp.sentNothing(failure), "may have arrived");
    }

    @Test
    @DisplayName("who waits too long for the address of a host has sent nothing")
    void noAddress() throws Exception {
        CountDownLatch found = new CountDownLatch(1);
        try (SocketHttpClient slow = new SocketHttpClient(Duration.ofMillis(100), Optional.empty(), host -> {
            assertThatNoException().isThrownBy(found::await);
            return new InetAddress[] {InetAddress.getLoopbackAddress()};
        })) {
            for (HttpRequest request :
                    List.of(get(), HttpRequest.newBuilder(uri("/")).build())) {
                assertThatExceptionOfType(HttpConnectTimeoutException.class)
                        .isThrownBy(() -> slow.send(request, BodyHandlers.ofString()));
            }
            serve(socket -> {});
            found.countDown();
            Await.until("its threads have ended", () -> threads() == 0);
        }
        try (Socket last = new Socket(InetAddress.getLoopbackAddress(), server.getLocalPort())) {
            last.shutdownOutput();
            Await.until("the server was asked", () -> !asked.isEmpty());
        }
        assertThat(asked).containsExactly(""); // what was told to have sent nothing does not do so later
    }

    @Test
    @DisplayName("an address that drops what it is sent leaves time for the next one")
    void severalAddresses() throws Exception {
        InetAddress silent = InetAddress.getByName("127.0.0.2");
        List<Socket> queue = new ArrayList<>();
        try (ServerSocket full = new ServerSocket()) {
            try {
                full.bind(new InetSocketAddress(silent, server.getLocalPort()), 1);
            } catch (IOException e) {
                abort("127.0.0.2 is no address of this machine: " + e.getMessage());
            }
            boolean drops = false;
            for (int i = 0; i < 20 && !drops; i++) {
                Socket one = new Socket();
                queue.add(one);
                try {
                    one.connect(full.getLocalSocketAddress(), 200);
                } catch (SocketTimeoutException e) {
                    drops = true;
                }
            }
            assumeTrue(drops, "this system does not drop what comes to a full queue");
            answers("HTTP/1.1 200 OK\nContent-Length: 2\n\nok");
            InetAddress[] both = {silent, InetAddress.getByAddress(new byte[] {127, 0, 0, 1})};
            try (SocketHttpClient client =
                    new SocketHttpClient(Duration.ofSeconds(1), Optional.empty(), host -> both)) {
                assertThat(client.send(get(), BodyHandlers.ofString()).body()).isEqualTo("ok");
            }
        } finally {
            for (Socket one : queue) {
                one.close();
            }
        }
    }

    @Test
    @DisplayName("a host may be written as an IPv6 address")
    void ipv6() throws Exception {
        server.close();
        try {
            server = new ServerSocket(0, 50, InetAddress.getAllByName("::1")[0]);
        } catch (IOException e) {
            abort("this machine has no IPv6: " + e.getMessage());
        }
        answers("HTTP/1.1 200 OK\nContent-Length: 2\n\nok");
        URI uri = URI.create("http://[::1]:" + server.getLocalPort() + "/");
        assertThat(client.send(HttpRequest.newBuilder(uri).timeout(LONG).build(), BodyHandlers.ofString())
                        .body())
                .isEqualTo("ok");
        assertThat(asked.get(0)).contains("\r\nHost: [::1]:" + server.getLocalPort() + "\r\n");
    }

    @Test
    @DisplayName(
            "a cancelled request and a closed client leave no thread in a read, which would keep the JVM from ending")
    void ends() throws Exception {
        serve(socket -> socket.getInputStream().read());
        CompletableFuture<HttpResponse<String>> cancelled = client.sendAsync(get(), BodyHandlers.ofString());
        Await.until("it is asked", () -> asked.size() == 1);
        cancelled.cancel(true);
        Await.until("its thread has ended", () -> threads() == 0);

        serve(socket -> socket.getInputStream().read());
        CompletableFuture<HttpResponse<String>> open =
                client.sendAsync(HttpRequest.newBuilder(uri("/")).build(), BodyHandlers.ofString());
        Await.until("it is asked", () -> asked.size() == 2);
        client.close();
        assertThatThrownBy(open::get).hasCauseInstanceOf(IOException.class);
        assertThatThrownBy(() -> body()).isInstanceOf(IOException.class);
        Await.until("its thread has ended", () -> threads() == 0);
    }

    private static long threads() {
        Thread[] all = new Thread[Thread.activeCount() + 100];
        return Arrays.stream(all, 0, Thread.enumerate(all))
                .filter(thread -> thread.getName().equals("holdfast-http"))
                .count();
    }

    @Test
    @DisplayName("lines are handed on as they come, no faster than they are wanted, until they are not wanted any more")
    void streams() throws Exception {
        CompletableFuture<Void> heard = new CompletableFuture<>();
        serve(socket -> {
            socket.getOutputStream().write("HTTP/1.1 200 OK\r\n\r\none\ntwo\n".getBytes(StandardCharsets.UTF_8));
            heard.get();
            while (true) {
                socket.getOutputStream().write("more\n".getBytes(StandardCharsets.UTF_8)); // until the line is cut
            }
        });
        List<String> lines = new CopyOnWriteArrayList<>();
        CompletableFuture<HttpResponse<Void>> response = client.sendAsync(
                HttpRequest.newBuilder(uri("/events")).build(),
                BodyHandlers.fromLineSubscriber(new Flow.Subscriber<>() {
                    private Flow.Subscription subscription;

                    @Override
                    public void onSubscribe(Flow.Subscription to) {
                        subscription = to;
                        to.request(1);
                    }

                    @Override
                    public void onNext(String line) {
                        lines.add(line);
                        if (line.equals("two")) {
                            heard.complete(null);
                        }
                        if (lines.size() == 4) {
                            subscription.cancel();
                        } else {
                            subscription.request(1);
                        }
                    }

                    @Override
                    public void onError(Throwable failure) {}

                    @Override
                    public void onComplete() {}
                }));
        assertThatThrownBy(response::get).hasCauseInstanceOf(IOException.class);
        assertThat(lines).containsExactly("one", "two", "more", "more");
        Await.until("the server noticed", () -> asked.size() == 2);
        assertThat(asked.get(1)).startsWith("failed: ");
    }

    @Test
    @DisplayName("over TLS it believes only certificates it was told to trust, and only for their own name")
    void secured(@TempDir Path directory) throws Exception {
        Certificates certificates = Certificates.ec(directory, "server");
        Path trusted = Files.writeString(directory.resolve("ca.pem"), certificates.certificate());
        server.close();
        server = tls(directory).getServerSocketFactory().createServerSocket(0, 50, InetAddress.getLoopbackAddress());
        String address = "https://127.0.0.1:" + server.getLocalPort();

        answers("HTTP/1.1 200 OK\nContent-Length: 6\n\nsecret");
        assertThat(over(address, Optional.of(trusted)).body()).isEqualTo("secret");
        answers("HTTP/1.1 200 OK\nContent-Length: 6\n\nsecret");
        assertThatExceptionOfType(SSLException.class).isThrownBy(() -> over(address, Optional.empty()));
        answers("HTTP/1.1 200 OK\nContent-Length: 6\n\nsecret");
        assertThatExceptionOfType(SSLException.class)
                .isThrownBy(() -> over(address.replace("127.0.0.1", "localhost"), Optional.of(trusted)));
    }

    private static HttpResponse<String> over(String address, Optional<Path> trusted) throws Exception {
        ServerConfig config = ServerConfig.of(address).withConnectionForEachRequest();
        HttpClient http =
                new ServerHttp(trusted.map(config::withCaFile).orElse(config), LONG).client(HttpClient.Version.HTTP_2);
        assertThat(http).isInstanceOf(SocketHttpClient.class);
        return http.send(HttpRequest.newBuilder(URI.create(address + "/")).build(), BodyHandlers.ofString());
    }

    /** With the key that the JDK's tool left beside the certificate. */
    private static SSLContext tls(Path directory) throws Exception {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        char[] password = "changeit".toCharArray();
        keys.load(new ByteArrayInputStream(Files.readAllBytes(directory.resolve("server.p12"))), password);
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(keys, password);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(factory.getKeyManagers(), null, null);
        return context;
    }

    @Test
    @DisplayName("only who asks for it has it; with a proxy set, nobody")
    void chosen() {
        ServerConfig config = ServerConfig.of("http://127.0.0.1:1");
        assertThat(new ServerHttp(config, LONG).client(HttpClient.Version.HTTP_1_1))
                .isNotInstanceOf(SocketHttpClient.class);
        ServerConfig small = config.withConnectionForEachRequest();
        assertThat(new ServerHttp(small, LONG).client(HttpClient.Version.HTTP_1_1))
                .isInstanceOf(SocketHttpClient.class);
        assertThat(small.withToken("t").withoutListening().connectsForEachRequest())
                .isTrue();
        for (String proxy : List.of("http.proxyHost", "https.proxyHost", "java.net.useSystemProxies")) {
            System.setProperty(proxy, "proxy.invalid");
            try {
                assertThat(new ServerHttp(small, LONG).client(HttpClient.Version.HTTP_1_1))
                        .as(proxy)
                        .isNotInstanceOf(SocketHttpClient.class);
            } finally {
                System.clearProperty(proxy);
            }
        }
    }
}
