package dev.holdfast.server.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.wire.json.Json;
import dev.holdfast.wire.json.ObjectBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Somebody else who uses the same server, while a page is open. */
record LockRequests(int port) {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    /** Takes a lock for a minute; the lease id. */
    String acquire(String namespace, String name, String owner, String reason) {
        return acquire(namespace, name, owner, reason, Map.of("note", reason));
    }

    String acquire(String namespace, String name, String owner, String reason, Map<String, String> metadata) {
        ObjectBuilder told = Json.build();
        metadata.forEach(told::with);
        String lease = UUID.randomUUID().toString();
        post(
                "/v2/locks/acquire",
                Json.build()
                        .with("namespace", namespace)
                        .with("name", name)
                        .with("owner", owner)
                        .with("reason", reason)
                        .with("lease_id", lease)
                        .with("lease_ms", 60_000)
                        .with("metadata", told.build())
                        .build());
        return lease;
    }

    void release(String namespace, String name, String lease) {
        Json.Obj one = Json.build()
                .with("namespace", namespace)
                .with("name", name)
                .with("lease_id", lease)
                .build();
        post("/v2/locks/release", "{\"leases\":[" + text(one) + "]}");
    }

    /** Ends the hold of whoever has it. */
    void force(String namespace, String name, String reason) {
        HttpRequest look = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + port + "/v2/lock?namespace=" + namespace + "&name=" + name))
                .build();
        Matcher token = Pattern.compile("\"fencing_token\":(\\d+)").matcher(send(look));
        assertThat(token.find()).isTrue();
        post(
                "/v2/locks/force-unlock",
                Json.build()
                        .with("namespace", namespace)
                        .with("name", name)
                        .with("fencing_token", Long.parseLong(token.group(1)))
                        .with("reason", reason)
                        .build());
    }

    private void post(String path, Json.Obj body) {
        post(path, text(body));
    }

    private static String text(Json.Obj body) {
        return new String(body.bytes(), StandardCharsets.UTF_8);
    }

    private void post(String path, String body) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body))
                .build();
        send(request);
    }

    private static String send(HttpRequest request) {
        try {
            HttpResponse<String> answer = CLIENT.send(request, BodyHandlers.ofString());
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            return answer.body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
