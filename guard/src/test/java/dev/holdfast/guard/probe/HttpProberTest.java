package dev.holdfast.guard.probe;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A probe")
final class HttpProberTest {
    private static final Duration PLENTY = Duration.ofSeconds(15);
    private static final Duration SHORT = Duration.ofMillis(400);
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

    private final HttpProber prober = new HttpProber(AddressPolicy.standard());

    @AfterEach
    void close() {
        prober.close();
    }

    private ProbeResult probe(URI url, Duration timeout) {
        return Await.get(prober.probe(url, timeout));
    }

    @Test
    @DisplayName("sees an app that answers HEAD with 200 as up, and asks for exactly the URL it was given")
    void up() throws Exception {
        try (AppServer app = AppServer.answering(OK)) {
            ProbeResult found = probe(URI.create(app.url() + "health?deep=1&x=%20#part"), PLENTY);

            assertThat(found.status()).isEqualTo(ProbeStatus.UP);
            assertThat(found.httpCode()).hasValue(200);
            assertThat(app.requests).singleElement().satisfies(request -> {
                assertThat(request).startsWith("HEAD /health?deep=1&x=%20 HTTP/1.1\r\n");
                assertThat(request).contains("\r\nHost: 127.0.0.1:" + app.port() + "\r\n");
            });
        }
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(ints = {204, 301, 302, 401, 403, 404, 429, 500, 503})
    @DisplayName("reports any other answer as down, with its code")
    void otherCodes(int code) throws Exception {
        try (AppServer app = AppServer.answering("HTTP/1.1 " + code + " Something\r\n\r\n")) {
            ProbeResult found = probe(app.url(), PLENTY);

            assertThat(found.status()).isEqualTo(ProbeStatus.DOWN);
            assertThat(found.httpCode()).hasValue(code);
        }
    }

    @Test
    @DisplayName("does not follow a redirect")
    void noRedirect() throws Exception {
        try (AppServer elsewhere = AppServer.answering(OK);
                AppServer app = AppServer.answering(
                        "HTTP/1.1 302 Found\r\nLocation: " + elsewhere.url() + "\r\nContent-Length: 0\r\n\r\n")) {
            assertThat(probe(app.url(), PLENTY).httpCode()).hasValue(302);
            assertThat(app.connections).hasValue(1);
            assertThat(elsewhere.connections).hasValue(0);
        }
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(ints = {405, 501})
    @DisplayName("asks with GET where HEAD is not understood, and reads no long body")
    void getAfterHead(int code) throws Exception {
        AtomicLong sent = new AtomicLong();
        CountDownLatch cut = new CountDownLatch(1);
        try (AppServer app = AppServer.that((socket, request) -> {
            if (request.startsWith("HEAD")) {
                socket.getOutputStream().write(("HTTP/1.1 " + code + " No\r\n\r\n").getBytes(ISO_8859_1));
                return;
            }
            socket.getOutputStream().write("HTTP/1.1 200 OK\r\n\r\n".getBytes(ISO_8859_1));
            try {
                while (true) {
                    socket.getOutputStream().write(new byte[8192]);
                    sent.addAndGet(8192);
                }
            } finally {
                cut.countDown();
            }
        })) {
            assertThat(probe(app.url(), PLENTY).status()).isEqualTo(ProbeStatus.UP);
            assertThat(app.requests)
                    .extracting(request -> request.substring(0, 4))
                    .containsExactly("HEAD", "GET ");
            Await.until("the endless body is cut off", () -> cut.getCount() == 0);
        }
    }

    @Test
    @DisplayName("reports GET's code if that is no better")
    void getFails() throws Exception {
        try (AppServer app = AppServer.answering("HTTP/1.1 405 No\r\n\r\n")) {
            assertThat(probe(app.url(), PLENTY).httpCode()).hasValue(405);
            assertThat(app.connections).hasValue(2);
        }
    }

    @Test
    @DisplayName("has one deadline for HEAD and GET together")
    void oneDeadlineForBoth() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        try (AppServer app = AppServer.that((socket, request) -> {
            if (request.startsWith("HEAD")) {
                socket.getOutputStream().write("HTTP/1.1 405 No\r\n\r\n".getBytes(ISO_8859_1));
            } else {
                over.await();
            }
        })) {
            ProbeResult found = probe(app.url(), SHORT);

            assertThat(found.status()).isEqualTo(ProbeStatus.UNKNOWN);
            assertThat(found.httpCode()).isEqualTo(OptionalInt.empty());
            over.countDown();
        }
    }

    @Test
    @DisplayName("tells a refused connection from silence")
    void refused() throws Exception {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        ProbeResult found = probe(URI.create("http://127.0.0.1:" + port + "/"), PLENTY);

        assertThat(found.status()).isEqualTo(ProbeStatus.REFUSED);
        assertThat(found.httpCode()).isEmpty();
        assertThat(found.detail()).contains("127.0.0.1:" + port).contains("refused");
    }

    @Test
    @DisplayName("knows nothing of an app that accepts and is silent")
    void blackHole() throws Exception {
        try (AppServer app = AppServer.blackHole()) {
            long began = System.nanoTime();
            ProbeResult found = probe(app.url(), SHORT);

            assertThat(found.status()).isEqualTo(ProbeStatus.UNKNOWN);
            assertThat(found.detail()).contains("no answer within 400 ms");
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThanOrEqualTo(SHORT);
        }
    }

    @Test
    @DisplayName("is not kept busy by an answer that comes byte by byte")
    void slowHead() throws Exception {
        try (AppServer app = AppServer.that((socket, request) -> {
            for (byte next : "HTTP/1.1 200 OK and so on and so on and so on".getBytes(ISO_8859_1)) {
                socket.getOutputStream().write(next);
                Thread.sleep(50);
            }
        })) {
            assertThat(probe(app.url(), SHORT).detail()).contains("no answer within 400 ms");
        }
    }

    @Test
    @DisplayName("looks past interim answers to the real one")
    void interim() throws Exception {
        try (AppServer app =
                AppServer.answering("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 100 Go\r\n\r\n" + OK)) {
            assertThat(probe(app.url(), PLENTY).status()).isEqualTo(ProbeStatus.UP);
        }
    }

    @Test
    @DisplayName("stops reading where an answer has no end")
    void endlessHead() throws Exception {
        try (AppServer app = AppServer.that((socket, request) -> {
            socket.getOutputStream().write("HTTP/1.1 103 Early Hints\r\n".getBytes(ISO_8859_1));
            while (true) {
                socket.getOutputStream().write("X: y\r\n".repeat(1000).getBytes(ISO_8859_1));
            }
        })) {
            ProbeResult found = probe(app.url(), PLENTY);

            assertThat(found.status()).isEqualTo(ProbeStatus.UNKNOWN);
            assertThat(found.detail()).contains("16384 bytes");
        }
    }

    @Test
    @DisplayName("needs no more of an answer than its first line")
    void hugeHeaders() throws Exception {
        try (AppServer app = AppServer.that((socket, request) -> {
            socket.getOutputStream().write("HTTP/1.1 200 OK\r\n".getBytes(ISO_8859_1));
            while (true) {
                socket.getOutputStream().write("X: y\r\n".repeat(1000).getBytes(ISO_8859_1));
            }
        })) {
            assertThat(probe(app.url(), PLENTY).status()).isEqualTo(ProbeStatus.UP);
        }
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"SSH-2.0-OpenSSH_9.2\r\n", "HTTP/1.1 abc\r\n", "HTTP/1.1 999 x\r\n", "", "HTTP/1.1 2"})
    @DisplayName("does not take for an answer what is not HTTP, or only the beginning of it")
    void notHttp(String said) throws Exception {
        try (AppServer app = AppServer.answering(said)) {
            assertThat(probe(app.url(), PLENTY).status()).isEqualTo(ProbeStatus.UNKNOWN);
        }
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "ftp://127.0.0.1/",
                "file:///etc/passwd",
                "http://user:secret@127.0.0.1/",
                "http:///path",
                "mailto:a@b",
                "http://127.0.0.1:70000/",
                "http://169.254.169.254/latest/meta-data/",
                "http://metadata.google.internal/"
            })
    @DisplayName("never fails: a URL that may not be probed is unknown, and no secret is repeated")
    void badUrls(String url) {
        ProbeResult found = probe(URI.create(url), PLENTY);

        assertThat(found.status()).isEqualTo(ProbeStatus.UNKNOWN);
        assertThat(found.detail()).isNotEmpty().doesNotContain("secret");
    }

    @Test
    @DisplayName("without time is unknown at once")
    void noTime() {
        assertThat(probe(URI.create("http://127.0.0.1:1/"), Duration.ZERO).status())
                .isEqualTo(ProbeStatus.UNKNOWN);
    }

    @Test
    @DisplayName("ends when the prober closes, and none begins after that")
    void closed() throws IOException {
        try (AppServer app = AppServer.blackHole()) {
            var waiting = prober.probe(app.url(), PLENTY);
            Await.until("it is connected", () -> app.requests.size() == 1);
            prober.close();

            assertThat(Await.get(waiting).detail()).contains("closed");
            assertThat(probe(app.url(), PLENTY).detail()).contains("closed");
        }
    }
}
