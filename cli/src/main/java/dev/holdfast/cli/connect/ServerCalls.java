package dev.holdfast.cli.connect;

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
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/** Calls of a server that are not about locks: one after the other, each answered with JSON or told as what went wrong. */
public final class ServerCalls {
    private static final Duration CONNECT = Duration.ofSeconds(3);
    /** A stop may take as long as what it stops; the server answers before that. */
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final ServerConfig config;
    private final Duration patience;
    private final HttpClient client;

    public ServerCalls(ServerConfig config) {
        this(config, PATIENCE);
    }

    /** With this long for each answer. */
    public ServerCalls(ServerConfig config, Duration patience) {
        this.config = config;
        this.patience = patience;
        HttpClient.Builder builder =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECT);
        Trust.of(config).ifPresent(builder::sslContext);
        this.client = builder.build();
    }

    /** What a server answers; the next one is asked only if the first was not reached at all. */
    public Json send(String method, String path, Optional<String> body) throws InterruptedException {
        String failure = "";
        for (URI server : config.servers()) {
            try {
                return answer(ask(server, method, path, body), server);
            } catch (ConnectException e) {
                failure = "connection refused";
            } catch (IOException e) {
                failure = e instanceof HttpTimeoutException ? "no answer in time" : why(e);
                if (body.isPresent()) {
                    break; // it may have been done
                }
            }
        }
        throw new StoreUnavailableException(
                "No Holdfast server answers at " + config.servers().get(0) + " (" + failure
                        + "). Is it running? Name another with --server",
                null);
    }

    /** What this server answers, whatever it is. */
    public HttpResponse<String> ask(URI server, String method, String path, Optional<String> body)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server + path))
                .timeout(patience)
                .header("User-Agent", "holdfast-cli")
                .method(method, body.map(BodyPublishers::ofString).orElseGet(BodyPublishers::noBody));
        body.ifPresent(json -> request.header("Content-Type", "application/json"));
        config.token().ifPresent(token -> request.header("Authorization", "Bearer " + token));
        return client.send(request.build(), BodyHandlers.ofString());
    }

    /** A refused connection has no words of its own. */
    public static String why(IOException failure) {
        String message = failure.getMessage();
        return message == null || message.isBlank() ? "connection refused" : message;
    }

    private static Json answer(HttpResponse<String> response, URI server) {
        Json said;
        try {
            said = Json.parse(response.body().getBytes(StandardCharsets.UTF_8));
        } catch (InvalidJsonException e) {
            throw new StoreUnusableException(
                    server + " answered " + response.statusCode() + " without JSON; is this a Holdfast server?", e);
        }
        int status = response.statusCode();
        if (status >= 200 && status < 300) {
            return said;
        }
        String detail = said.at("detail").plainIfAny().orElse("the server answered " + status);
        if (said.at("code").plain().equals("outcome-unknown")) {
            throw new OutcomeUnknownException(detail, null);
        }
        throw switch (status) {
            case 401, 403 -> new AccessRefusedException(detail, null);
            case 429, 500, 502, 503, 504 -> new StoreUnavailableException(detail, null);
            default -> new CommandException(detail);
        };
    }
}
