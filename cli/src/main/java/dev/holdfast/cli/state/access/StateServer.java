package dev.holdfast.cli.state.access;

import dev.holdfast.cli.text.CommandException;
import dev.holdfast.client.ServerConfig;
import dev.holdfast.client.Trust;
import dev.holdfast.spi.AccessRefusedException;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.wire.json.InvalidJsonException;
import dev.holdfast.wire.json.Json;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Sends requests about state to the first server that can be reached. What was not understood, not allowed or not possible is
 * an exception; refusals that depend on locks and versions are answers.
 */
public final class StateServer {
    private static final Duration CONNECT = Duration.ofSeconds(3);
    /** State may be large, the line slow, and the server's store too. */
    private static final Duration ANSWER = Duration.ofMinutes(2);

    /** What callers judge themselves: there is none, it has changed, another holds it. */
    private static final Set<Integer> ANSWERS = Set.of(200, 404, 409, 423);

    private final ServerConfig servers;
    private final HttpClient http;

    StateServer(ServerConfig servers) {
        this.servers = servers;
        HttpClient.Builder builder =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECT);
        Trust.of(servers).ifPresent(builder::sslContext);
        this.http = builder.build();
    }

    /** An answer: 200, 404, 409 or 423, with its bytes. */
    static final class Answer {
        private final int status;
        private final String etag;
        private final byte[] body;

        Answer(int status, String etag, byte[] body) {
            this.status = status;
            this.etag = etag;
            this.body = body;
        }

        /** Which version it is, where it is one; else empty. */
        String etag() {
            return etag;
        }

        int status() {
            return status;
        }

        byte[] body() {
            return body;
        }

        boolean isDone() {
            return status == 200;
        }

        /** The body, where it is an object; else an empty one. */
        Json.Obj object() {
            try {
                return Json.parse(body) instanceof Json.Obj object ? object : Json.object();
            } catch (InvalidJsonException e) {
                return Json.object();
            }
        }
    }

    Answer get(String path) {
        return send("GET", path, Map.of(), BodyPublishers.noBody());
    }

    /** Whether it is there. */
    boolean has(String path) {
        return send("HEAD", path, Map.of(), BodyPublishers.noBody()).isDone();
    }

    /** Sends JSON, or nothing if it is empty. */
    Answer send(String method, String path, byte[] body) {
        return send(method, path, Map.of(), body);
    }

    /** The same with these headers. */
    Answer send(String method, String path, Map<String, String> headers, byte[] body) {
        return send(
                method, path, headers, body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
    }

    private Answer send(String method, String path, Map<String, String> headers, BodyPublisher body) {
        boolean changes = !method.equals("GET") && !method.equals("HEAD");
        Optional<IOException> failure = Optional.empty();
        for (URI server : servers.servers()) {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server + path))
                    .timeout(ANSWER)
                    .header("User-Agent", "holdfast-cli")
                    .method(method, body);
            headers.forEach(request::header);
            servers.token().ifPresent(token -> request.header("Authorization", "Bearer " + token));
            if (body.contentLength() > 0) {
                request.header("Content-Type", "application/json");
            }
            try {
                return judged(server, path, http.send(request.build(), BodyHandlers.ofByteArray()));
            } catch (ConnectException | HttpConnectTimeoutException e) {
                failure = Optional.of(e); // it was not asked: the next one may be
            } catch (IOException e) {
                if (changes) {
                    throw new OutcomeUnknownException(
                            server + " did not answer (" + e.getMessage()
                                    + "). It may or may not have been done: look before trying again",
                            e);
                }
                failure = Optional.of(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new OutcomeUnknownException("interrupted while " + server + " was asked", e);
            }
        }
        URI first = servers.servers().get(0);
        throw new StoreUnavailableException(
                "No Holdfast server answered at " + first
                        + failure.map(it -> " (" + words(it) + ")").orElse("")
                        + ". Nothing was changed. Check the address, and whether it runs: " + first + "/health/ready",
                failure.orElse(null));
    }

    private static String words(IOException failure) {
        return failure instanceof ConnectException ? "connection refused" : String.valueOf(failure.getMessage());
    }

    private static Answer judged(URI server, String path, HttpResponse<byte[]> response) {
        int status = response.statusCode();
        String etag = response.headers().firstValue("ETag").orElse("").replace("\"", "");
        Answer answer = new Answer(status, etag, response.body());
        if (ANSWERS.contains(status)) {
            return answer;
        }
        Json.Obj problem = answer.object();
        String detail = StateJson.text(problem, "detail").orElse("status " + status);
        switch (status) {
            case 400, 413, 415, 422 -> throw new IllegalArgumentException(detail);
            case 401, 403 -> throw new AccessRefusedException(server + " refused " + path + ": " + detail, null);
            case 429, 502, 503, 504 -> {
                if (StateJson.text(problem, "code").orElse("").equals("outcome-unknown")) {
                    throw new OutcomeUnknownException(detail, null);
                }
                throw new StoreUnavailableException(server + ": " + detail, null);
            }
            case 500 -> throw new StateFailure(detail);
            default ->
                throw new StoreUnusableException(
                        server + " answered " + status + " to " + path
                                + "; is this the address of a Holdfast server, of this version or newer?",
                        null);
        }
    }

    /** The state itself is not in order, such as damaged bytes; says which and what heals it. */
    public static final class StateFailure extends CommandException {
        private static final long serialVersionUID = 1;

        StateFailure(String message) {
            super(message);
        }
    }
}
