package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Stores;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.model.EventType;
import dev.holdfast.model.LockEvent;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Token;
import dev.holdfast.server.TestServer.Answer;
import dev.holdfast.server.auth.Grants;
import dev.holdfast.server.auth.Role;
import dev.holdfast.server.auth.TokenEntry;
import dev.holdfast.server.auth.login.AuthConfig;
import dev.holdfast.spi.EventLog;
import dev.holdfast.spi.EventLog.StoredEvent;
import dev.holdfast.spi.RecordStore;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("/v2/history, filtered and exported")
class HistoryTest {
    /** As many as one answer looks at, and as many as a store in memory keeps. */
    private static final int MANY = MemoryStore.MAX_EVENTS;

    private static final int MOST_READS = 10;

    private final MemoryStore memory = MemoryStore.exclusive();
    private final WatchedStore store = new WatchedStore(memory);
    private TestServer server = TestServer.start(TestServer.OPEN, store);

    @AfterEach
    void stop() {
        server.close();
    }

    private static StoredEvent event(long number, EventType type, String name, String owner, String actor) {
        return new StoredEvent(
                number,
                new LockEvent(
                        type,
                        new RecordKey(number % 2 == 0 ? "even" : "odd", name),
                        Scope.WHOLE,
                        number,
                        owner,
                        new Token(number),
                        Instant.now().minusSeconds(60).plusMillis(number),
                        Duration.ofMillis(number),
                        actor,
                        "because",
                        Map.of(),
                        "request-" + number));
    }

    /** So many events, each of one of three kinds, owners and names in turn. */
    private static void seed(EventLog store, int count) {
        List<StoredEvent> events = new ArrayList<>();
        EventType[] types = {EventType.ACQUIRED, EventType.RELEASED, EventType.EXPIRED};
        for (int i = 1; i <= count; i++) {
            events.add(
                    event(i, types[i % 3], "job-" + i % 5, "worker-" + i % 7, i % 11 == 0 ? "ops" : "worker-" + i % 7));
        }
        for (int i = 0; i < count; i += 1_000) {
            store.importAll(events.subList(i, Math.min(count, i + 1_000)))
                    .toCompletableFuture()
                    .join();
        }
    }

    /** Everything this asks for, page after page. */
    private List<Json> walk(String query) {
        List<Json> all = new ArrayList<>();
        String cursor = "";
        do {
            Json page = server.get("/v2/history?" + query + "&cursor=" + cursor).json();
            all.addAll(page.get("items").list());
            cursor = page.get("next_cursor").isNull()
                    ? ""
                    : page.get("next_cursor").text();
        } while (!cursor.isEmpty());
        return all;
    }

    private static List<Long> numbers(List<Json> events) {
        return events.stream().map(it -> it.get("event_id").number()).toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "owner=worker-3|3",
                "owner=worker-3*|3",
                "owner=work*|0 1 2 3 4 5 6",
                "owner=nobody|",
                "owner=worker-3&actor=worker-3|3",
                "prefix=job-2|2",
            })
    @DisplayName("owner and actor are found exactly or by how they begin, names by how they begin")
    void filters(String query, String remainders) {
        seed(memory, 400);
        Set<Long> wanted = remainders == null
                ? Set.of()
                : Set.copyOf(
                        Stream.of(remainders.split(" ", -1)).map(Long::valueOf).toList());
        int modulus = query.startsWith("prefix") ? 5 : 7;
        List<Long> expected = Stream.iterate(400L, i -> i > 0, i -> i - 1)
                .filter(i -> wanted.contains(i % modulus) && !(query.contains("actor") && i % 11 == 0))
                .toList();
        assertThat(numbers(walk("limit=1000&" + query))).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "event=lock.expired,released",
                "event=expired&event=lock.released",
                "event=expired,,released,expired"
            })
    @DisplayName("several kinds are asked for with commas, or one by one")
    void kinds(String query) {
        seed(memory, 30);
        assertThat(numbers(walk(query)))
                .isEqualTo(Stream.iterate(30L, i -> i > 0, i -> i - 1)
                        .filter(i -> i % 3 != 0)
                        .toList());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "&owner=worker-3", "&actor=ops", "&event=expired,released", "&namespace=odd&prefix=job-2"})
    @DisplayName("page by page it is the same as at once, and what happens meanwhile moves nothing")
    void pages(String filter) {
        seed(memory, 500);
        List<Long> whole = numbers(walk("limit=1000" + filter));
        assertThat(whole).isNotEmpty().isSortedAccordingTo((a, b) -> Long.compare(b, a));
        Json first = server.get("/v2/history?limit=7" + filter).json();
        memory.importAll(List.of(event(900, EventType.EXPIRED, "job-2", "worker-3", "ops")))
                .toCompletableFuture()
                .join();
        List<Long> found = new ArrayList<>(numbers(first.get("items").list()));
        if (!first.get("next_cursor").isNull()) {
            String cursor = first.get("next_cursor").text();
            while (!cursor.isEmpty()) {
                Json page = server.get("/v2/history?limit=7" + filter + "&cursor=" + cursor)
                        .json();
                assertThat(page.get("items").list()).hasSizeLessThanOrEqualTo(7);
                found.addAll(numbers(page.get("items").list()));
                cursor = page.get("next_cursor").isNull()
                        ? ""
                        : page.get("next_cursor").text();
            }
        }
        assertThat(found).isEqualTo(whole);
        List<Long> forward = numbers(walk("limit=7&after=0&before=900" + filter));
        assertThat(forward)
                .isEqualTo(Stream.iterate(whole.size() - 1, i -> i >= 0, i -> i - 1)
                        .map(whole::get)
                        .toList());
    }

    @Test
    @DisplayName("what is rare among many costs a bounded number of reads, and is found by going on")
    void bounded() {
        seed(memory, MANY);
        int before = store.timesCalled("newest events");
        Json first = server.get("/v2/history?owner=worker-0&actor=nobody").json();
        assertThat(first.get("items").list()).isEmpty();
        assertThat(first.get("next_cursor").isNull()).isFalse();
        assertThat(store.timesCalled("newest events") - before).isLessThanOrEqualTo(MOST_READS);
    }

    @Test
    @DisplayName("what is older than one answer looks is found by going on")
    void goingOn(@TempDir Path directory) {
        server.close();
        RecordStore file = Stores.open("sqlite:" + directory.resolve("locks.db"));
        seed((EventLog) file, 3 * MANY / 2);
        server = TestServer.start(TestServer.OPEN, file);
        Json first =
                server.get("/v2/history?owner=worker-1&before=8&actor=worker-1").json();
        assertThat(numbers(first.get("items").list())).containsExactly(1L);
        Json none = server.get("/v2/history?owner=worker-2&actor=nobody").json();
        assertThat(none.get("items").list()).isEmpty();
        assertThat(none.get("next_cursor").isNull()).isFalse();
        assertThat(walk("owner=worker-2&actor=nobody")).isEmpty();
        assertThat(walk("limit=1000&owner=worker-2")).hasSize(3 * MANY / 2 / 7 + 1);
    }

    @Test
    @DisplayName(
            "as lines, each is the object of the page; the header says where to go on, and the rest can be appended")
    void lines() {
        seed(memory, 2_500);
        Answer first = server.get("/v2/history?format=jsonl&limit=2000");
        assertThat(first.header("Content-Type")).isEqualTo("application/x-ndjson");
        Answer rest = server.get("/v2/history?format=jsonl&cursor=" + first.header("Next-Cursor"));
        assertThat(rest.header("Next-Cursor")).isEmpty();
        List<String> lines = (first.body() + rest.body()).lines().toList();
        assertThat(lines).hasSize(2_500);
        assertThat(lines.stream().map(Json::of)).containsExactlyElementsOf(walk("limit=1000"));
    }

    @Test
    @DisplayName("as a table, only its beginning names the columns; a part that is not all says so")
    void table() {
        seed(memory, MANY);
        StringBuilder all = new StringBuilder();
        String cursor = "";
        int answers = 0;
        do {
            int before = store.timesCalled("newest events");
            Answer part = server.get("/v2/history?format=csv&limit=4000&cursor=" + cursor);
            assertThat(part.header("Content-Type")).isEqualTo("text/csv; charset=utf-8");
            assertThat(part.header("Content-Disposition")).isEqualTo("attachment; filename=\"history.csv\"");
            assertThat(store.timesCalled("newest events") - before).isLessThanOrEqualTo(MOST_READS);
            all.append(part.body());
            cursor = part.header("Next-Cursor");
            answers++;
        } while (!cursor.isEmpty());
        List<List<String>> rows = CsvRows.of(all.toString());
        assertThat(answers).isEqualTo(3);
        assertThat(rows).hasSize(MANY + 1);
        assertThat(rows.get(0))
                .startsWith("timestamp", "level", "event", "event_id")
                .endsWith("metadata", "request_id");
        assertThat(rows.get(1).get(3)).isEqualTo(String.valueOf(MANY));
        assertThat(rows.get(MANY).get(3)).isEqualTo("1");
        assertThat(rows).allSatisfy(row -> assertThat(row).hasSize(17));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "=cmd|' /C calc'!A0",
                "+1+1",
                "-2+3",
                "@SUM(A1:A9)",
                "＝1+1",
                "'=1+1",
                "a,b;c \"d\" ",
                " =1",
                "\"=1+1\"",
                "ünïcode ✓",
            })
    @DisplayName("no cell of a table begins like a formula, and every text can be had back")
    void formulas(String hostile) {
        StoredEvent event = new StoredEvent(
                7,
                new LockEvent(
                        EventType.FORCED,
                        new RecordKey("n", hostile),
                        Scope.WHOLE,
                        1,
                        hostile,
                        Token.NONE,
                        Instant.now(),
                        Duration.ZERO,
                        hostile,
                        hostile,
                        Map.of("=key", hostile),
                        ""));
        memory.importAll(List.of(event)).toCompletableFuture().join();
        List<List<String>> rows =
                CsvRows.of(server.get("/v2/history?format=csv").body());
        assertThat(rows).hasSize(2);
        for (String cell : rows.get(1)) {
            assertThat(cell).doesNotMatch("(?s)[=+\\-@＝＋－＠\\t\\r\\n].*");
        }
        for (String column : List.of("name", "owner", "actor", "reason")) {
            String cell = rows.get(1).get(rows.get(0).indexOf(column));
            assertThat(cell.startsWith("'") ? cell.substring(1) : cell).isEqualTo(hostile);
        }
        String metadata = rows.get(1).get(rows.get(0).indexOf("metadata"));
        assertThat(Json.of(metadata).get("=key").text()).isEqualTo(hostile);
        assertThat(Json.of(server.get("/v2/history?format=jsonl&owner="
                                        + URLEncoder.encode(hostile, StandardCharsets.UTF_8))
                                .body())
                        .get("owner")
                        .text())
                .as("in JSON it is as it was")
                .isEqualTo(hostile);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "text/csv|text/csv",
                "application/x-ndjson|application/x-ndjson",
                "*/*|application/json",
                "text/html, */*;q=0.8|application/json",
                "text/csv;q=0.2, application/json|application/json",
                "application/json;q=0.2, text/csv;q=0.9|text/csv",
                "text/csv;q=x|application/json",
            })
    @DisplayName("without a format, Accept decides")
    void accept(String header, String type) {
        assertThat(server.send(server.request("/v2/history")
                                .header("Accept", header)
                                .GET())
                        .header("Content-Type"))
                .startsWith(type);
        assertThat(server.send(server.request("/v2/history?format=json")
                                .header("Accept", header)
                                .GET())
                        .header("Content-Type"))
                .startsWith("application/json");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "format=xml",
                "format=csv&limit=10001",
                "format=json&limit=1001",
                "event=acquired,eaten",
                "owner=a&owner=b",
                "owner=%00",
            })
    @DisplayName("what cannot be meant is 400, and names the parameter")
    void bad(String query) {
        Answer answer = server.get("/v2/history?" + query);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().get("detail").text())
                .contains(query.replaceAll("=.*", "").replace("format", query.contains("limit") ? "limit" : "format"));
    }

    @Test
    @DisplayName("a file has only what its reader may see")
    void access() {
        server.close();
        MemoryStore another = MemoryStore.exclusive();
        server = TestServer.start(
                TestServer.with(new AuthConfig(
                        false,
                        Optional.empty(),
                        List.of(TokenEntry.of("one", "hf_one-0123456789", Grants.in("odd", Role.READ))))),
                another);
        seed(another, 40);
        Client one = Client.of(server).as("hf_one-0123456789");
        for (String format : List.of("csv", "jsonl")) {
            String body =
                    one.get("/v2/history?format=" + format + "&owner=worker*").body();
            assertThat(body).contains("odd:").doesNotContain("even:");
            assertThat(one.get("/v2/history?format=" + format + "&namespace=even")
                            .status())
                    .isEqualTo(403);
        }
    }

    /** A reader of RFC 4180 of its own, so that what is written is not judged by who wrote it. */
    private static final class CsvRows {
        static List<List<String>> of(String text) {
            List<List<String>> rows = new ArrayList<>();
            List<String> row = new ArrayList<>();
            StringBuilder cell = new StringBuilder();
            boolean quoted = false;
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                if (quoted) {
                    if (c != '"') {
                        cell.append(c);
                    } else if (i + 1 < text.length() && text.charAt(i + 1) == '"') {
                        cell.append('"');
                        i++;
                    } else {
                        quoted = false;
                    }
                } else if (c == '"') {
                    quoted = true;
                } else if (c == ',' || c == '\n') {
                    row.add(cell.toString());
                    cell.setLength(0);
                    if (c == '\n') {
                        rows.add(row);
                        row = new ArrayList<>();
                    }
                } else if (c != '\r') {
                    cell.append(c);
                }
            }
            assertThat(row).as("what follows the last line").isEmpty();
            return rows;
        }
    }
}
