package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.RecordedVersion.Exchange;
import dev.holdfast.server.TestServer.Answer;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A program written for an earlier version asks what it always asked, and finds in the answers all that it always found. Fields may be
 * added; none may go, change its type, or, unless it depends on the moment, its value.
 */
@DisplayName("Calls recorded with an earlier version")
class OldAnswersTest {
    /** Of the moment, of chance, or text for people. */
    private static final Set<String> VARYING = Set.of(
            "fencing_token",
            "latest_token",
            "granted_at",
            "renewed_at",
            "expires_at",
            "acquired_at",
            "server_time",
            "timestamp",
            "decided_at",
            "checked_at",
            "saved_at",
            "since",
            "expiry",
            "version",
            "current",
            "next_cursor",
            "request_id",
            "event_id",
            "lock_id",
            "detail",
            "errors",
            "message",
            "details",
            "node",
            "store_latency_ms",
            "clock_error_ms",
            "held_ms",
            "waited_ms",
            "duration_seconds",
            "retry_after_ms",
            "Created",
            "token");

    private static final Pattern TOKEN = Pattern.compile("\"fencing_token\":([0-9]+)");

    @TempDir
    private Path directory;

    @ParameterizedTest
    @EnumSource
    @DisplayName("get the same status, and answers with at least the same fields")
    void sameAnswers(RecordedVersion version) {
        List<String> differences = new ArrayList<>();
        try (TestServer server = TestServer.start(TestServer.on("sqlite:" + directory.resolve("holdfast.db")))) {
            String token = "";
            String recorded = "";
            for (Exchange exchange : version.exchanges()) {
                // Who names a token names the last one: that of this run, not of the recorded one.
                Answer answer = ask(
                        server,
                        exchange,
                        recorded.isEmpty() ? exchange.body() : exchange.body().replace(recorded, token));
                String call = exchange.method() + " " + exchange.path() + " " + exchange.body();
                if (answer.status() != exchange.status()) {
                    differences.add(call + ": " + answer.status() + " " + answer.body() + ", was " + exchange.status());
                } else if (!exchange.answer().isEmpty()) {
                    compare(call, Json.of(exchange.answer()), answer.json(), differences);
                }
                if (exchange.path().endsWith("/acquire")) {
                    Matcher was = TOKEN.matcher(exchange.answer());
                    Matcher is = TOKEN.matcher(answer.body());
                    if (was.find() && is.find()) {
                        recorded = was.group(1);
                        token = is.group(1);
                    }
                }
            }
        }
        assertThat(differences).isEmpty();
    }

    private static Answer ask(TestServer server, Exchange exchange, String body) {
        HttpRequest.Builder request = server.request(exchange.path());
        if (body.isEmpty()) {
            return server.send(request.method(exchange.method(), BodyPublishers.noBody()));
        }
        return server.send(request.header("Content-Type", "application/json")
                .method(exchange.method(), BodyPublishers.ofString(body)));
    }

    /** All that was there must be there; where a list was, its items are compared in their order. */
    private static void compare(String where, Json was, Json is, List<String> differences) {
        if (was.isNull() || is.isNull()) {
            return; // a field that may be empty, and is so at one of the moments
        }
        if (was.value() instanceof Map<?, ?>) {
            for (String field : was.fields()) {
                if (!is.has(field)) {
                    differences.add(where + ": '" + field + "' is gone");
                } else if (sameKind(was.get(field).value(), is.get(field).value())) {
                    if (!VARYING.contains(field)) {
                        compare(where + " " + field, was.get(field), is.get(field), differences);
                    }
                } else {
                    differences.add(where + ": '" + field + "' is " + is.get(field) + ", was " + was.get(field));
                }
            }
        } else if (was.value() instanceof List<?>) {
            List<Json> before = was.list();
            List<Json> now = is.list();
            if (before.size() != now.size()) {
                differences.add(where + ": " + now.size() + " items, were " + before.size());
            }
            for (int i = 0; i < Math.min(before.size(), now.size()); i++) {
                compare(where + " " + i, before.get(i), now.get(i), differences);
            }
        } else if (!was.equals(is)) {
            differences.add(where + ": " + is.value() + ", was " + was.value());
        }
    }

    private static boolean sameKind(@Nullable Object was, @Nullable Object is) {
        return was == null
                || is == null
                || was.getClass() == is.getClass()
                || (was instanceof Number && is instanceof Number);
    }
}
