package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.RawClient.Reaction;
import dev.holdfast.server.TestServer.Answer;
import dev.holdfast.server.http.Route;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is inside of a request: bodies, types, paths, queries, methods. {@code BadHttpTest} has what is around it. */
@DisplayName("Bad input")
class BadInputTest {
    private static final String GOOD = "{\"namespace\":\"bad\",\"name\":\"x\",\"lease_ms\":1000}";

    @TempDir
    static Path directory;

    private static Besieged besieged;
    private static TestServer server;

    @BeforeAll
    static void start() {
        besieged = new Besieged(directory);
        server = besieged.server;
    }

    @AfterEach
    void unharmed() {
        besieged.isUnharmed();
    }

    @AfterAll
    static void stop() {
        besieged.close();
    }

    // ---- bodies

    static List<byte[]> bodies() {
        List<String> texts = List.of(
                "",
                " ",
                "{",
                "}",
                "[]",
                "null",
                "1",
                "\"text\"",
                "{\"namespace\"}",
                "{\"namespace\":}",
                GOOD + GOOD,
                GOOD + "x",
                "\u0000" + GOOD,
                GOOD + "\u0000",
                "\ufeff" + GOOD,
                GOOD.replace("\"", "'"),
                GOOD.replace("1000", "01000"),
                GOOD.replace("1000", "+1000"),
                GOOD.replace("1000", "0x3e8"),
                GOOD.replace("1000", "NaN"),
                GOOD.replace("1000", "1e999999999"),
                GOOD.replace("1000", "-1e999999999"),
                GOOD.replace("1000", "1000.0"),
                GOOD.replace("1000", "9".repeat(400)),
                GOOD.replace("1000", "0." + "9".repeat(400)),
                GOOD.replace("1000", "9223372036854775808"),
                GOOD.replace("1000", "-1"),
                GOOD.replace("1000", "true"),
                GOOD.replace("1000", "[1000]"),
                GOOD.replace("1000", "{\"a\":1000}"),
                GOOD.replace("1000", "null"),
                GOOD.replace("1000", "[".repeat(10_000 / 2) + "]".repeat(10_000 / 2)),
                GOOD.replace("1000", "{\"a\":".repeat(2_500) + "1" + "}".repeat(2_500)),
                "[".repeat(10_000),
                "{\"a\":".repeat(3_000),
                GOOD.replace("\"name\"", "\"namespace\""),
                GOOD.replace("}", ",\"lease_ms\":1000}"),
                GOOD.replace("}", ",\"__proto__\":{}}"),
                GOOD.replace("\"x\"", "\"\\ud800\""),
                GOOD.replace("\"x\"", "\"a\\u0000\""),
                GOOD.replace("\"x\"", "\"a\nb\""),
                GOOD.replace("\"x\"", "\"" + "n".repeat(513) + "\""),
                GOOD.replace("\"bad\"", "\"../bad\""),
                GOOD.replace("}", ",\"owner\":\"\\udc00\"}"),
                GOOD.replace("}", ",\"reason\":\"\\u0007\"}"),
                GOOD.replace("}", ",\"path\":\"a/../\\u0000\"}"),
                GOOD.replace("}", ",\"path\":\"" + "a/".repeat(20) + "a\"}"),
                GOOD.replace("}", ",\"metadata\":{\"\\ud800\":\"v\"}}"),
                GOOD.replace("}", ",\"metadata\":{\"k\":\"\\ud800\"}}"),
                GOOD.replace("}", ",\"metadata\":{\"k\":\"" + "v".repeat(5_000) + "\"}}"),
                GOOD.replace("}", ",\"metadata\":{" + entries(33) + "}}"),
                GOOD.replace("}", ",\"mode\":\"permit\",\"limit\":1001}"),
                GOOD.replace("}", ",\"mode\":\"permit\",\"limit\":0}"),
                GOOD.replace("}", ",\"wait_ms\":-1}"),
                GOOD.replace("}", ",\"lease_id\":\"v1.abcdefgh\"}"),
                GOOD.replace("}", ",\"" + "k".repeat(5_000) + "\":1}"));
        Stream<byte[]> encoded = texts.stream().map(text -> text.getBytes(StandardCharsets.UTF_8));
        Stream<byte[]> otherwise =
                Stream.of("UTF-16", "UTF-16LE", "UTF-16BE", "UTF-32").map(name -> GOOD.getBytes(Charset.forName(name)));
        Stream<byte[]> broken = Stream.of(
                latin(GOOD.replace("x", "\u00ff")),
                latin(GOOD.replace("x", "\u00c0\u0080")), // NUL, overlong
                latin(GOOD.replace("x", "\u00ed\u00a0\u0080")), // half a surrogate pair
                latin(GOOD.replace("x", "\u00f5\u0080\u0080\u0080")),
                latin(GOOD.replace("x", "\u00e2\u0082")));
        return Stream.of(encoded, otherwise, broken).flatMap(it -> it).toList();
    }

    private static String entries(int count) {
        return IntStream.range(0, count).mapToObj(i -> "\"k" + i + "\":\"v\"").collect(Collectors.joining(","));
    }

    private static byte[] latin(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    @ParameterizedTest(name = "[{index}]")
    @MethodSource("bodies")
    @DisplayName("a body that is wrong is 400 on every route that takes one, with a body that says why")
    void wrongBody(byte[] body) {
        for (Route route : server.server.routes()) {
            boolean json = route.body() == Route.BodyKind.JSON || route.body() == Route.BodyKind.BATCH;
            boolean mayBeEmpty = route.path().startsWith("/api/guard/apps/{app}/");
            if (json && !(mayBeEmpty && body.length == 0)) {
                Answer answer = server.send(server.request(filled(route.path()))
                        .header("Content-Type", "application/json")
                        .method(route.method().name(), BodyPublishers.ofByteArray(body)));
                assertThat(answer.status()).as(answer.body()).isEqualTo(400);
                assertThat(answer.body()).doesNotContain("Exception", "\tat ", "com.fasterxml");
                assertThat(answer.json().fields()).containsAnyOf("detail", "details");
            }
        }
    }

    private static String filled(String path) {
        return path.replace("{namespace}", "bad")
                .replace("{lockName}", "bad-lock")
                .replace("{stack}", "bad-stack")
                .replace("{environment}", "bad")
                .replace("{version}", "bad-version")
                .replace("{app}", "bad-app")
                .replace("{db_identifier}", "bad:1")
                .replace("{page}", "locks")
                .replace("{file}", "bad.js")
                .replace("{id}", "bad-token");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "text/plain",
                "application/x-www-form-urlencoded",
                "multipart/form-data; boundary=x",
                "application/json; charset=utf-16",
                "application/json; charset=iso-8859-1",
                "application/jsonx",
                "application/xml",
                "*/*",
                "json",
                ";",
                "/"
            })
    @DisplayName("a body that is not said to be JSON in UTF-8 is 415")
    void wrongType(String type) {
        Answer answer = server.send(server.posting("/v2/locks/acquire", GOOD).setHeader("Content-Type", type));
        assertThat(answer.status()).isEqualTo(415);
        assertThat(server.send(server.request("/v2/locks/acquire").POST(BodyPublishers.ofString(GOOD)))
                        .status())
                .as("no type at all")
                .isEqualTo(415);
    }

    @Test
    @DisplayName("a body above the limit is 413, whether its length is said or not")
    void tooLarge() throws IOException {
        String large = GOOD.replace("}", ",\"reason\":\"" + "r".repeat(17_000) + "\"}");
        assertThat(server.post("/v2/locks/acquire", large).status()).isEqualTo(413);
        String head = "POST /v2/locks/acquire HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
        String chunk = "1000\r\n" + " ".repeat(0x1000) + "\r\n";
        Reaction chunked = RawClient.sendAndWaitForEnd(
                besieged.port(), head + "Transfer-Encoding: chunked\r\n\r\n" + chunk.repeat(8));
        assertThat(chunked.status()).isEqualTo(413);
        assertThat(chunked.answers()).isEqualTo(1);
        Reaction promised = RawClient.send(besieged.port(), head + "Content-Length: 999999999\r\n\r\n{");
        assertThat(promised.status()).as("it is not waited for").isEqualTo(413);
        String batch = "{\"leases\":[" + " ".repeat(4 << 20) + "]}";
        assertThat(server.send(server.posting("/v2/locks/renew", batch).expectContinue(true))
                        .status())
                .isEqualTo(413);
    }

    @Test
    @DisplayName("too many leases, and many faults, are 400 with a short answer")
    void manyFaults() {
        String many = "{\"leases\":[" + String.join(",", Collections.nCopies(10_001, "{}")) + "]}";
        assertThat(server.post("/v2/locks/renew", many).status()).isEqualTo(400);
        String wrong = "{\"leases\":[" + String.join(",", Collections.nCopies(9_999, "{\"x\":1}")) + "]}";
        Answer faults = server.post("/v2/locks/release", wrong);
        assertThat(faults.status()).isEqualTo(400);
        assertThat(faults.body().length()).isLessThan(10_000);
    }

    // ---- methods

    @Test
    @DisplayName("a wrong method is 405 with Allow on every route")
    void wrongMethods() {
        Set<String> paths = new TreeSet<>();
        server.server.routes().forEach(route -> paths.add(route.path()));
        for (String path : paths) {
            for (String method : List.of("GET", "POST", "PUT", "DELETE", "PATCH", "TRACE", "LOCK", "BREW", "get")) {
                List<String> possible = server.server.routes().stream()
                        .filter(route -> route.path().equals(path))
                        .map(route -> route.method().name())
                        .toList();
                if (!possible.contains(method)) {
                    Answer answer =
                            server.send(server.request(filled(path)).method(method, BodyPublishers.ofString("{}")));
                    assertThat(answer.status()).as(method + " " + path).isEqualTo(405);
                    assertThat(Arrays.asList(answer.header("Allow").split(", ")))
                            .containsAll(possible);
                }
            }
        }
    }

    @Test
    @DisplayName("HEAD is answered like GET without its body, on the stream of events too")
    void head() throws IOException {
        server.send(
                server.request("/api/guard/apps/bad-app")
                        .header("Content-Type", "application/json")
                        .PUT(
                                BodyPublishers.ofString(
                                        "{\"url\":\"http://127.0.0.1:9/\",\"databases\":[{\"type\":\"postgres\",\"host\":\"bad:1\"}]}")));
        Map<String, String> queries = Map.of("/v2/lock", "?namespace=n&name=x", "/status/quick", "?app=bad-app");
        for (Route route : server.server.routes()) {
            if (route.method().name().equals("GET")) {
                String target = filled(route.path()) + queries.getOrDefault(route.path(), "");
                Reaction reaction = RawClient.sendAndWaitForEnd(
                        besieged.port(),
                        "HEAD " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
                assertThat(reaction.status())
                        .as(target)
                        .isEqualTo(server.get(target.startsWith("/v2/events") ? "/v2/locks" : target)
                                .status());
                assertThat(reaction.text()).endsWith("\r\n\r\n");
            }
        }
    }

    // ---- paths and queries

    @ParameterizedTest
    @CsvSource({
        "/v1/%zz/lock/abc, 400",
        "/v1/%/lock/abc, 400",
        "/v1/abc%/lock/abc, 400",
        "/v1/%2/lock/abc, 400",
        "/v1/%00%00%00/lock/abc, 400",
        "/v1/%ff%ff%ff/lock/abc, 400",
        "/v1/%c0%ae%c0%ae/lock/abc, 400",
        "/v1/%ed%a0%80/lock/abc, 400",
        "/v1/a%2fb/lock/abc, 400",
        "/v1/abc/lock/%2e%2e%2f, 400",
        "/v1/../lock/abc, 400",
        "/v1//lock/abc, 400",
        "/v1/abc/lock/, 400",
        "/v1/abc/lock, 404",
        "/v1/abc/lock/abc/, 404",
        "/v2/../v1/abc, 404",
        "/v2/locks/../../../../etc/passwd, 404",
        "/..%2f..%2fetc/passwd, 404",
        "//v2/locks, 404",
        "/v2//locks, 404",
        "/v2/locks/, 404",
        "/V2/LOCKS, 404",
        "/v2/locks;x=y, 404",
        "/v2/%6cocks, 404",
        "/%, 404",
        "/v2/lock?namespace=%zz&name=x, 400",
        "/v2/lock?namespace=n&name=%, 400",
        "/v2/lock?namespace=n&name=%00, 400",
        "/v2/lock?namespace=n&name=%ff, 400",
        "/v2/lock?namespace=n&name=%c0%80, 400",
        "/v2/lock?namespace=n&name=x&name=y, 400",
        "/v2/lock?=&namespace=n, 400",
        "/v2/lock?namespace[]=n&name=x, 400",
        "/v2/locks?prefix=%00, 400",
        "/v2/locks?prefix=%EF%BF%BF%0A, 400",
        "/v2/locks?cursor=%00, 400",
        "/v2/locks?cursor=_____w, 400",
        "/v2/locks?limit=99999999999999999999, 400",
        "/v2/locks?limit=1e1, 400",
        "/v2/locks?limit=%2B-1, 400",
        "/v2/history?from=%2B999999999-12-31T23:59:59Z, 400",
        "/v2/history?to=-999999999-01-01T00:00:00Z, 400",
        "/v2/history?cursor=OTIyMzM3MjAzNjg1NDc3NTgwOA, 400",
        "/v2/events?since=99999999999999999999, 400",
        "/v2/events?prefix=%00, 400",
        "/api/locks/status?lockName=%00, 400",
        "/api/locks/status?lockname=x, 400"
    })
    @DisplayName("odd paths and queries are 400 or 404")
    void oddTargets(String target, int status) throws IOException {
        Reaction reaction = RawClient.send(besieged.port(), "GET " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
        assertThat(reaction.status()).as(reaction.text()).isEqualTo(status);
        if (target.startsWith("/v1/")) {
            assertThat(reaction.text()).contains("{\"message\":");
        }
    }

    @Test
    @DisplayName("many parameters are 400 with a short answer")
    void manyParameters() {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < 1_500; i++) {
            all.add("a");
        }
        Answer twice = server.get("/v2/locks?" + String.join("&", all));
        assertThat(twice.status()).isEqualTo(400);
        assertThat(twice.body().length()).isLessThan(10_000);
        List<String> unknown = IntStream.range(0, 1_200).mapToObj(i -> "p" + i).toList();
        Answer each = server.get("/v2/locks?" + String.join("&", unknown));
        assertThat(each.status()).isEqualTo(400);
        assertThat(each.body().length()).isLessThan(10_000);
    }
}
