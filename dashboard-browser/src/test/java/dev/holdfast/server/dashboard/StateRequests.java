package dev.holdfast.server.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.wire.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;

/** Somebody else who works with the state of one stack, while a page is open. */
record StateRequests(int port, String stack, String environment) {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    /** Saves without a lock. */
    void save(String state) {
        assertThat(send("POST", "", state)).contains("version");
    }

    String current() {
        return send("GET", "", "");
    }

    /** Takes the lock as terraform does. */
    void lock(String id, String who) {
        Json.Obj info = Json.build()
                .with("ID", id)
                .with("Operation", "OperationTypeApply")
                .with("Info", "")
                .with("Who", who)
                .with("Version", "1.11.4")
                .with("Created", "2026-11-16T11:05:12.123456Z")
                .with("Path", "")
                .build();
        assertThat(send("LOCK", "", text(info))).contains(id);
    }

    void unlock(String id) {
        send("UNLOCK", "", "{\"ID\":\"" + id + "\"}");
    }

    private static String text(Json.Obj body) {
        return new String(body.bytes(), StandardCharsets.UTF_8);
    }

    private String send(String method, String more, String body) {
        URI address = URI.create("http://127.0.0.1:" + port + "/state/" + stack + "/" + environment + more);
        HttpRequest request = HttpRequest.newBuilder(address)
                .header("Content-Type", "application/json")
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .build();
        try {
            var answer = CLIENT.send(request, BodyHandlers.ofString());
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            return answer.body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
