package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.RawClient.Reaction;
import dev.holdfast.testkit.Await;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is around a request: lines, headers, lengths, speed. {@link BadInputTest} has what is inside. */
@DisplayName("Bad HTTP")
class BadHttpTest {
    private static final String BODY = "{\"namespace\":\"bad\",\"name\":\"x\",\"lease_ms\":1000}";
    private static final String POST = String.join(
            "\r\n", "POST /v2/locks/acquire HTTP/1.1", "Host: localhost", "Content-Type: application/json", "");
    private static final String SECOND = POST + "Content-Length: " + BODY.length() + "\r\n\r\n" + BODY;

    @TempDir
    static Path directory;

    private static Besieged besieged;

    @BeforeAll
    static void start() {
        besieged = new Besieged(directory);
    }

    @AfterEach
    void unharmed() {
        besieged.isUnharmed();
    }

    @AfterAll
    static void stop() {
        besieged.close();
    }

    private static String get(String more) {
        return "GET /health/live HTTP/1.1\r\nHost: localhost\r\n" + more + "\r\n";
    }

    // ---- what is refused early

    @ParameterizedTest
    @ValueSource(strings = {"GET /nothing", "PUT /v2/locks", "OPTIONS /v2/locks", "GET /v2/locks?limit=x"})
    @DisplayName("a request without a body that is refused keeps its connection")
    void keepsConnection(String line) throws Exception {
        try (RawClient client = new RawClient(besieged.server.server.port())) {
            for (String length : List.of("", "", "Content-Length: 0\r\n", "")) {
                client.write((line + " HTTP/1.1\r\nHost: localhost\r\n" + length + "\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
                Reaction reaction = client.read(false);
                assertThat(reaction.status()).isBetween(204, 405);
                assertThat(reaction.text().toLowerCase(Locale.ROOT)).doesNotContain("connection: close");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 100", "Transfer-Encoding: chunked"})
    @DisplayName("one whose body has not come loses it: nobody waits for the rest")
    void losesConnection(String body) throws Exception {
        Reaction reaction = RawClient.sendAndWaitForEnd(
                besieged.server.server.port(), "POST /nothing HTTP/1.1\r\nHost: localhost\r\n" + body + "\r\n\r\n");
        assertThat(reaction.status()).isEqualTo(404);
        assertThat(reaction.text().toLowerCase(Locale.ROOT)).contains("connection: close");
    }

    // ---- what must be refused

    /** Each could be read in two ways, or not at all. What follows must not be taken for a request. */
    static List<String> shapes() {
        String length = "Content-Length: " + BODY.length() + "\r\n";
        String chunked = Integer.toHexString(BODY.length()) + "\r\n" + BODY + "\r\n0\r\n\r\n";
        return List.of(
                POST + length + "Transfer-Encoding: chunked\r\n\r\n" + chunked + SECOND,
                POST + "Transfer-Encoding: chunked\r\n" + length + "\r\n" + chunked + SECOND,
                POST + length + "Content-Length: 5\r\n\r\n" + BODY + SECOND,
                POST + "Content-Length: 5, " + BODY.length() + "\r\n\r\n" + BODY + SECOND,
                POST + "Transfer-Encoding: chunked, identity\r\n\r\n" + chunked + SECOND,
                POST + "Transfer-Encoding: xchunked\r\n\r\n" + chunked + SECOND,
                POST + "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n" + chunked + SECOND,
                POST + "Transfer-Encoding : chunked\r\n\r\n" + chunked + SECOND,
                POST + "Content-Length : " + BODY.length() + "\r\n\r\n" + BODY + SECOND,
                POST + "Content-Length: -1\r\n\r\n" + BODY,
                POST + "Content-Length: +47\r\n\r\n" + BODY,
                POST + "Content-Length: 0x2f\r\n\r\n" + BODY,
                POST + "Content-Length: 99999999999999999999999999\r\n\r\n" + BODY,
                POST + "Content-Length: \r\n\r\n" + BODY,
                POST + "Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n" + BODY + "\r\n0\r\n\r\n",
                POST + "Transfer-Encoding: chunked\r\n\r\n-1\r\n" + BODY + "\r\n0\r\n\r\n",
                POST + "Transfer-Encoding: chunked\r\n\r\nzz\r\n" + BODY + "\r\n0\r\n\r\n",
                POST + "Transfer-Encoding: chunked\r\n\r\n80000000\r\n" + BODY + "\r\n0\r\n\r\n",
                get("X-Bad : 1\r\n"),
                get("X\u0000Bad: 1\r\n"),
                get("X-Bad: a\u0000b\r\n"),
                get("no colon\r\n"),
                "GET  HTTP/1.1\r\nHost: localhost\r\n\r\n",
                "\u0000\u0001\u0002\u0003\r\n\r\n",
                "GET /health/live\r\n\r\n",
                "GET /health/live HTTP/1.1 HTTP/1.1\r\nHost: localhost\r\n\r\n",
                "GET /health/live HTTP/x.y\r\nHost: localhost\r\n\r\n",
                "GET /health/live HTTP/9.9\r\nHost: localhost\r\n\r\n",
                "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
                "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003\r\n\r\n");
    }

    @ParameterizedTest
    @MethodSource("shapes")
    @DisplayName("what is not HTTP, or can be read in two ways, is 4xx or the end, and the end of the connection")
    void refused(String shape) throws IOException {
        Reaction reaction = RawClient.sendAndWaitForEnd(besieged.port(), shape);
        assertThat(reaction.status())
                .as(reaction.text())
                .matches(status -> status == 0 || status / 100 == 4, "refused");
        assertThat(reaction.answers()).as(reaction.text()).isLessThanOrEqualTo(1);
        assertThat(reaction.text()).doesNotContain("Exception", "\tat ", "fencing_token");
    }

    /** Unusual, and allowed or ignored: either answer is right, as long as there is only one. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "X-Folded: a\r\n b\r\n",
                "X-Tab:\ta\r\n",
                ": nameless\r\n",
                "X-Latin: \u00e4\u00ff\r\n",
                "Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA\r\n",
                "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: x\r\nSec-WebSocket-Version: 13\r\n",
                "Expect: 100-continue\r\n",
                "Expect: a-miracle\r\n",
                "Connection: close, close, keep-alive\r\n",
                "Accept: \r\n",
                "Authorization: Bearer\r\n",
                "Authorization: Basic !!!!\r\n",
                "traceparent: 00-zz\r\n",
                "traceparent: ff-ffffffffffffffffffffffffffffffff-ffffffffffffffff-ff\r\ntracestate: =,=\r\n",
                "Origin: null\r\n",
                "Origin: ::::\r\n",
                "Host: localhost\r\n"
            })
    @DisplayName("unusual headers do no harm")
    void unusual(String headers) throws IOException {
        Reaction reaction = RawClient.send(besieged.port(), get(headers));
        assertThat(reaction.status()).as(reaction.text()).isIn(100, 200, 400, 417);
        Reaction locks = RawClient.send(
                besieged.port(), "GET /v2/locks?namespace=bad HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n");
        assertThat(locks.status()).as(locks.text()).isIn(100, 200, 400, 417);
    }

    @Test
    @DisplayName("lines end in LF alone, or come without Host, in HTTP/1.0 or not at all: an answer or the end")
    void oldFashioned() throws IOException {
        for (String request : List.of(
                "GET /health/live HTTP/1.1\nHost: localhost\n\n",
                "GET /health/live HTTP/1.1\r\n\r\n",
                "GET /health/live HTTP/1.0\r\n\r\n",
                "\r\n\r\nGET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n",
                "GET http://localhost/health/live HTTP/1.1\r\nHost: localhost\r\n\r\n",
                "OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n",
                "CONNECT localhost:443 HTTP/1.1\r\nHost: localhost\r\n\r\n",
                "GET ? HTTP/1.1\r\nHost: localhost\r\n\r\n",
                "GET # HTTP/1.1\r\nHost: localhost\r\n\r\n",
                "GET http://[::1 HTTP/1.1\r\nHost: localhost\r\n\r\n")) {
            Reaction reaction = RawClient.send(besieged.port(), request);
            assertThat(reaction.status()).as(request).isIn(200, 204, 400, 404, 405, 421);
        }
        Reaction none = RawClient.sendAndWaitForEnd(besieged.port(), "GET /health/live\r\n");
        assertThat(none.status()).isIn(0, 400);
    }

    // ---- too much

    @Test
    @DisplayName("a long request line is 414, too many or too large headers are 431")
    void tooMuch() throws IOException {
        Reaction line =
                RawClient.send(besieged.port(), "GET /" + "a".repeat(9_000) + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
        assertThat(line.status()).isEqualTo(414);
        Reaction large = RawClient.send(besieged.port(), get("X-Large: " + "a".repeat(17_000) + "\r\n"));
        assertThat(large.status()).isEqualTo(431);
        Reaction many = RawClient.send(besieged.port(), get("A: b\r\n".repeat(5_000)));
        assertThat(many.status()).isEqualTo(431);
        Reaction endless = RawClient.send(besieged.port(), "a".repeat(1 << 20));
        assertThat(endless.status()).isIn(0, 400, 414);
        Reaction trailers = RawClient.sendAndWaitForEnd(
                besieged.port(), POST + "Transfer-Encoding: chunked\r\n\r\n0\r\n" + "T: t\r\n".repeat(5_000) + "\r\n");
        assertThat(trailers.status()).isIn(0, 400, 431);
    }

    // ---- too slow

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "GET /health/live HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
                "POST /v2/locks/acquire HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                        + "Content-Length: 1000\r\n\r\n{",
                "POST /v2/locks/acquire HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                        + "Transfer-Encoding: chunked\r\n\r\n1",
                "POST /nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{",
                "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\nGET /health/live HTTP/1.1\r\nX-Slow: ",
                "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n"
            })
    @DisplayName("who sends one byte after the other is cut off after the limit")
    void slow(String start) throws IOException, InterruptedException {
        long begun = System.nanoTime();
        try (RawClient client = new RawClient(besieged.port())) {
            client.write(start.getBytes(StandardCharsets.ISO_8859_1));
            Thread drip = new Thread(() -> drip(client), "drip");
            drip.start();
            client.read(true);
            Duration took = Duration.ofNanos(System.nanoTime() - begun);
            assertThat(took).isLessThan(Besieged.SLOW.plusSeconds(3));
            drip.interrupt();
            drip.join();
        }
    }

    private static void drip(RawClient client) {
        try {
            for (int i = 0; i < 100; i++) {
                TimeUnit.MILLISECONDS.sleep(100); // slowness is the subject
                client.write(new byte[] {'1'});
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    @DisplayName("who goes away in the middle leaves nothing behind")
    void goesAway() throws IOException {
        for (int i = 0; i < SECOND.length() - 1; i += 7) {
            try (RawClient client = new RawClient(besieged.port())) {
                client.write(SECOND.substring(0, i).getBytes(StandardCharsets.ISO_8859_1));
            }
        }
        Await.until("all connections are gone", () -> connections() <= 2);
    }

    private static double connections() {
        String metrics = besieged.server.get("/metrics").body();
        return metrics.lines()
                .filter(line -> line.startsWith("holdfast_server_connections"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no metric of connections"));
    }

    // ---- who asks

    @ParameterizedTest
    @ValueSource(strings = {"a b", "\u00e4", "a\tb", "<script>", "'; drop table", "\"", "{}", "${jndi:x}"})
    @DisplayName("a request id that could not stand in a log is replaced")
    void requestIds(String id) throws IOException {
        assertFresh(id);
        assertFresh("x".repeat(129));
        Reaction good = RawClient.send(besieged.port(), get("X-Request-Id: my-own-1\r\n"));
        assertThat(good.text()).contains("X-Request-Id: my-own-1\r\n");
    }

    private static void assertFresh(String id) throws IOException {
        Reaction reaction = RawClient.send(besieged.port(), get("X-Request-Id: " + id + "\r\n"));
        assertThat(reaction.status()).isEqualTo(200);
        assertThat(reaction.text()).contains("X-Request-Id: ").doesNotContain("X-Request-Id: " + id);
    }

    @Test
    @DisplayName("a page of another site is 403, another name of the host 421")
    void foreign() throws IOException {
        String length = "Content-Length: " + BODY.length() + "\r\n\r\n" + BODY;
        for (String origin : List.of("http://evil.example", "null", "http://localhost.evil.example", "%%%")) {
            Reaction reaction = RawClient.send(besieged.port(), POST + "Origin: " + origin + "\r\n" + length);
            assertThat(reaction.status()).as(origin).isEqualTo(403);
        }
        for (String host : List.of("evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "", "[", ":")) {
            Reaction reaction = RawClient.send(
                    besieged.port(), "GET /v2/locks?namespace=bad HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
            assertThat(reaction.status()).as("host '" + host + "'").isIn(400, 421);
        }
    }
}
