package dev.holdfast.server;

import dev.holdfast.server.TestServer.Answer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Calls one server, wherever it runs, in namespace {@value #NAMESPACE}.
 *
 * @param url of the server
 * @param authorization the header, if one is sent
 */
record Client(String url, Optional<String> authorization) {
    static final String NAMESPACE = "n";

    private static final HttpClient HTTP = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();

    static Client of(TestServer server) {
        return new Client(server.url(), Optional.empty());
    }

    static Client at(int port) {
        return new Client("http://127.0.0.1:" + port, Optional.empty());
    }

    /** The same with a bearer token. */
    Client as(String token) {
        return with("Bearer " + token);
    }

    Client with(String header) {
        return new Client(url, Optional.of(header));
    }

    // ---- locks

    Answer acquire(String name, String leaseId, String more) {
        return post("/v2/locks/acquire", asking(name, leaseId, more));
    }

    CompletableFuture<Answer> acquireLater(String name, String leaseId, String more) {
        return sendLater(posting("/v2/locks/acquire", asking(name, leaseId, more)));
    }

    private static String asking(String name, String leaseId, String more) {
        return "{" + lease(name, leaseId) + (more.contains("lease_ms") ? "" : ",\"lease_ms\":60000")
                + (more.isEmpty() ? "" : "," + more) + "}";
    }

    /** What became of the renewal of these leases of one lock each, by {@code name, leaseId} pairs. */
    Answer renew(String... pairs) {
        return post("/v2/locks/renew", leases(pairs));
    }

    Answer release(String... pairs) {
        return post("/v2/locks/release", leases(pairs));
    }

    /** The outcome of the only lease of a batch. */
    static String outcome(Answer batch) {
        return batch.json().get("results").get(0).get("outcome").text();
    }

    private static String leases(String... pairs) {
        return Stream.iterate(0, i -> i < pairs.length, i -> i + 2)
                .map(i -> "{" + lease(pairs[i], pairs[i + 1]) + "}")
                .collect(Collectors.joining(",", "{\"leases\":[", "]}"));
    }

    private static String lease(String name, String leaseId) {
        return key(name) + ",\"lease_id\":\"" + leaseId + "\"";
    }

    static String key(String name) {
        return "\"namespace\":\"" + NAMESPACE + "\",\"name\":\"" + name + "\"";
    }

    Json look(String name) {
        return get("/v2/lock?namespace=" + NAMESPACE + "&name=" + name).json();
    }

    // ---- HTTP

    Answer get(String path) {
        return send(request(path).GET());
    }

    Answer post(String path, String json) {
        return send(posting(path, json));
    }

    HttpRequest.Builder request(String path) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(url + path)).timeout(Duration.ofSeconds(90));
        authorization.ifPresent(header -> request.header("Authorization", header));
        return request;
    }

    HttpRequest.Builder posting(String path, String json) {
        return request(path).header("Content-Type", "application/json").POST(BodyPublishers.ofString(json));
    }

    CompletableFuture<Answer> sendLater(HttpRequest.Builder request) {
        return HTTP.sendAsync(request.build(), BodyHandlers.ofString()).thenApply(Answer::new);
    }

    Answer send(HttpRequest.Builder request) {
        try {
            return new Answer(HTTP.send(request.build(), BodyHandlers.ofString()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
