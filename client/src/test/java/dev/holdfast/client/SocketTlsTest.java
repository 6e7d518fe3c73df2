package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.holdfast.client.internal.SocketHttpClient;
import dev.holdfast.internal.engine.machine.Machine;
import dev.holdfast.internal.engine.machine.ThreadMachine;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.testkit.Await;
import dev.holdfast.testkit.servers.Certificates;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Against a server whose TLS breaks where a test wants. */
@DisplayName("what a failure of TLS says about a request")
@Timeout(120)
class SocketTlsTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    /** Of application data, and not what the keys of any connection make of it. */
    private static final byte[] DAMAGED = new byte[5 + 64];

    static {
        System.arraycopy(new byte[] {23, 3, 3, 0, 64}, 0, DAMAGED, 0, 5);
    }

    @TempDir
    static Path directory;

    private static Path trusted;
    private static SSLContext context;

    private final CountDownLatch stopped = new CountDownLatch(1);
    private ServerSocket server;

    @BeforeAll
    static void certificate() throws Exception {
        Certificates certificates = Certificates.ec(directory, "server");
        trusted = Files.writeString(directory.resolve("ca.pem"), certificates.certificate());
        KeyStore keys = KeyStore.getInstance("PKCS12");
        char[] password = "changeit".toCharArray();
        keys.load(new ByteArrayInputStream(Files.readAllBytes(directory.resolve("server.p12"))), password);
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(keys, password);
        context = SSLContext.getInstance("TLS");
        context.init(factory.getKeyManagers(), null, null);
    }

    @BeforeEach
    void listen() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void stop() throws IOException {
        stopped.countDown();
        server.close();
    }

    private ServerConfig config() {
        return ServerConfig.of("https://127.0.0.1:" + server.getLocalPort()).withCaFile(trusted);
    }

    private interface Reaction {
        void to(Socket socket) throws Exception;
    }

    /** Whoever comes. */
    private void accept(Reaction reaction) {
        ServerSocket listening = server;
        start(() -> {
            while (true) {
                Socket socket = listening.accept();
                start(() -> {
                    try (socket) {
                        reaction.to(socket);
                    }
                    return true;
                });
            }
        });
    }

    private static void start(Callable<?> act) {
        // What it throws means that the other side, or the test, has ended.
        Thread thread = new Thread(new FutureTask<>(act), "server");
        thread.setDaemon(true);
        thread.start();
    }

    private static SSLSocket secured(Socket plain) throws IOException {
        return (SSLSocket) context.getSocketFactory().createSocket(plain, (InputStream) null, true);
    }

    private static void readHead(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        for (int next = in.read(); next >= 0 && head.indexOf("\r\n\r\n") < 0; next = in.read()) {
            head.append((char) next);
        }
    }

    /** What comes of a change that is sent once, with the small client or the JDK's. */
    private Throwable change(boolean small, Duration within) {
        Machine machine = new ThreadMachine("test");
        ServerConfig config = small ? config().withConnectionForEachRequest() : config();
        try (ServerTransport transport = new ServerTransport(config, machine, LONG)) {
            ServerRequest ask = new ServerRequest(
                    "a change",
                    "POST",
                    "/change",
                    Map.of(),
                    Optional.of("{\"a\":1}".getBytes(StandardCharsets.UTF_8)),
                    machine.time().nanos() + within.toNanos(),
                    Duration.ZERO,
                    LONG,
                    ServerRequest.Kind.ONCE);
            return catchThrowable(() -> Await.get(transport.send(ask)));
        } finally {
            machine.close();
        }
    }

    private void send(byte[] body, Duration timeout) throws Exception {
        HttpClient http =
                new ServerHttp(config().withConnectionForEachRequest(), LONG).client(HttpClient.Version.HTTP_1_1);
        assertThat(http).isInstanceOf(SocketHttpClient.class);
        URI uri = config().servers().get(0).resolve("/");
        http.send(
                HttpRequest.newBuilder(uri)
                        .timeout(timeout)
                        .POST(BodyPublishers.ofByteArray(body))
                        .build(),
                BodyHandlers.ofString());
    }

    @ParameterizedTest(name = "small client: {0}")
    @DisplayName("a damaged record after the request: it may have been done")
    @ValueSource(booleans = {true, false})
    void damaged(boolean small) {
        accept(socket -> {
            readHead(secured(socket).getInputStream());
            socket.getOutputStream().write(DAMAGED);
            socket.getInputStream().readAllBytes();
        });
        assertThat(change(small, LONG))
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining("may or may not have been done");
    }

    @ParameterizedTest(name = "after {0}")
    @DisplayName("a record that is damaged within the answer is no failure of the handshake either")
    @ValueSource(strings = {"HTTP/1.1 20", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab"})
    void damagedWithin(String begun) {
        accept(socket -> {
            SSLSocket secured = secured(socket);
            readHead(secured.getInputStream());
            secured.getOutputStream().write(begun.getBytes(StandardCharsets.UTF_8));
            socket.getOutputStream().write(DAMAGED);
            socket.getInputStream().readAllBytes();
        });
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> send(new byte[1], LONG))
                .withMessageContaining("the secured connection broke")
                .isNotInstanceOf(SSLException.class)
                .matches(failure -> !ServerHttp.sentNothing(failure), "may have arrived");
    }

    @Test
    @DisplayName("a connection that ends without a word after the request: it may have been done")
    void abrupt() {
        accept(socket -> {
            readHead(secured(socket).getInputStream());
            socket.setSoLinger(true, 0);
        });
        assertThat(change(true, LONG)).isInstanceOf(OutcomeUnknownException.class);
    }

    @Test
    @DisplayName("a connection that ends before it is secured: nothing was sent")
    void reset() {
        accept(socket -> {
            socket.getInputStream().read();
            socket.setSoLinger(true, 0);
        });
        assertThatExceptionOfType(ConnectException.class)
                .isThrownBy(() -> send(new byte[1], LONG))
                .withMessage("the connection was closed before it was secured");
        assertThat(change(true, Duration.ofMillis(500)))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("Nothing was changed");
    }

    @ParameterizedTest(name = "small client: {0}")
    @DisplayName("a server that wants to see another certificate, or none of TLS: there is no safe connection")
    @ValueSource(booleans = {true, false})
    void refused(boolean small) throws Exception {
        accept(socket -> {
            SSLSocket secured = secured(socket);
            secured.setNeedClientAuth(true);
            assertThat(catchThrowable(secured::startHandshake)).isNotNull();
            socket.getInputStream().readAllBytes();
        });
        assertThat(change(small, LONG))
                .isInstanceOf(StoreUnusableException.class)
                .hasMessageContaining("certificate");
        server.close();
        listen();
        accept(socket -> {
            socket.getInputStream().read();
            socket.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.UTF_8));
            socket.getInputStream().readAllBytes();
        });
        assertThat(change(small, LONG))
                .isInstanceOf(StoreUnusableException.class)
                .hasMessageContaining("No safe connection");
    }

    @Test
    @DisplayName("a long request to a server that does not read ends when its time is up")
    void notRead() {
        accept(socket -> {
            try (SSLSocket secured = secured(socket)) { // referred to until the end, or a collection closes it
                secured.startHandshake();
                stopped.await();
            }
        });
        for (Duration limit : List.of(Duration.ofSeconds(1), Duration.ofSeconds(5), LONG)) {
            Throwable failure = catchThrowable(() -> send(new byte[20 * 1024 * 1024], limit));
            if (!(failure instanceof HttpConnectTimeoutException)) { // or the machine was too busy for the handshake
                assertThat(failure).isInstanceOf(HttpTimeoutException.class);
                return;
            }
        }
        throw new AssertionError("it never connected");
    }
}
