package dev.holdfast.cli.connect;

import dev.holdfast.cli.text.CommandException;
import dev.holdfast.cli.text.FailureMessage;
import dev.holdfast.client.ServerConfig;
import dev.holdfast.client.ServerHttp;
import dev.holdfast.spi.AccessRefusedException;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.wire.AnswerFields;
import dev.holdfast.wire.ProblemJson;
import dev.holdfast.wire.json.InvalidJsonException;
import dev.holdfast.wire.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLException;

/** Calls of a server that are not about locks: one after the other, each answered with JSON or told as what went wrong. */
public final class ServerCalls {
    private static final Duration CONNECT = Duration.ofSeconds(3);
    /** A stop may take as long as what it stops; the server answers before that. */
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    /** Of an answer that says what is wrong. */
    private static final int MAX_PROBLEM = 64 << 10;

    private final ServerConfig config;
    private final Duration patience;
    private final HttpClient client;

    public ServerCalls(ServerConfig config) {
        this(config, PATIENCE);
    }

    public ServerCalls(ServerConfig config, Duration patience) {
        this.config = config;
        this.patience = patience;
        this.client =
                new ServerHttp(config.withConnectionForEachRequest(), CONNECT).client(HttpClient.Version.HTTP_1_1);
    }

    /** What a server answers; the next one is asked only if the first was sent nothing, or was asked to change nothing. */
    public Json.Obj send(String method, String path, Optional<String> body) throws InterruptedException {
        ServerResponse<String> answered = any(method, path, body, BodyHandlers.ofString());
        return answer(answered.response().statusCode(), answered.response().body(), answered.server());
    }

    /** Takes what a server answers as it comes; what is not answered with 200 is told as what went wrong. */
    public void download(String path, OutputStream out) throws IOException, InterruptedException {
        ServerResponse<InputStream> answered = any("GET", path, Optional.empty(), BodyHandlers.ofInputStream());
        int status = answered.response().statusCode();
        try (InputStream body = answered.response().body()) {
            if (status != 200) {
                String said = new String(body.readNBytes(MAX_PROBLEM), StandardCharsets.UTF_8);
                answer(status, said, answered.server());
            }
            body.transferTo(out);
        }
    }

    private record ServerResponse<T>(URI server, HttpResponse<T> response) {}

    private <T> ServerResponse<T> any(String method, String path, Optional<String> body, BodyHandler<T> handler)
            throws InterruptedException {
        String failure = "";
        for (URI server : config.servers()) {
            try {
                return new ServerResponse<>(server, ask(server, method, path, body, handler));
            } catch (IOException e) {
                if (isUntrusted(e)) {
                    throw new StoreUnusableException(FailureMessage.untrusted(server.toString()), e);
                }
                failure = e instanceof HttpTimeoutException ? "no answer in time" : why(e);
                boolean changes = !method.equals("GET") && !method.equals("HEAD");
                if (changes && !ServerHttp.sentNothing(e)) {
                    throw new OutcomeUnknownException(
                            "No answer came from " + server + " (" + failure
                                    + "). What was asked may or may not have been done: look before you try again",
                            e);
                }
            }
        }
        throw new StoreUnavailableException(
                "No Holdfast server answers at " + config.servers().get(0) + " (" + failure
                        + "). Is it running? Name another with --server",
                null);
    }

    public HttpResponse<String> ask(URI server, String method, String path, Optional<String> body)
            throws IOException, InterruptedException {
        return ask(server, method, path, body, BodyHandlers.ofString());
    }

    private <T> HttpResponse<T> ask(
            URI server, String method, String path, Optional<String> body, BodyHandler<T> handler)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server + path))
                .timeout(patience)
                .header("User-Agent", "holdfast-cli")
                .method(method, body.map(BodyPublishers::ofString).orElseGet(BodyPublishers::noBody));
        config.token().ifPresent(token -> request.header("Authorization", "Bearer " + token));
        body.ifPresent(json -> request.header("Content-Type", "application/json"));
        return client.send(request.build(), handler);
    }

    /** Whether it is the certificate of the server that stands in the way. */
    public static boolean isUntrusted(IOException failure) {
        return failure instanceof SSLException
                && String.valueOf(failure.getMessage()).contains("PKIX");
    }

    /** A refused connection has no words of its own. */
    public static String why(IOException failure) {
        if (failure instanceof ConnectException none) {
            return ServerHttp.why(none);
        }
        String message = failure.getMessage();
        if (message == null || message.isBlank()) {
            return "connection refused";
        }
        return isUntrusted(failure)
                ? "its certificate is not trusted here: name its authority with --ca-file or HOLDFAST_CA_FILE"
                : FailureMessage.of(message);
    }

    /** A field of the answer, if that is an object and has it. */
    public static Optional<String> field(HttpResponse<String> answer, String name) {
        try {
            return Json.parse(answer.body().getBytes(StandardCharsets.UTF_8))
                    .at(name)
                    .plainIfAny();
        } catch (InvalidJsonException e) {
            return Optional.empty();
        }
    }

    private static Json.Obj answer(int status, String body, URI server) {
        Json.Obj said;
        try {
            said = AnswerFields.of(body.getBytes(StandardCharsets.UTF_8));
        } catch (StoreUnusableException e) {
            throw new StoreUnusableException(
                    server + " answered " + status + " without JSON; is this a Holdfast server?", e);
        }
        if (status >= 200 && status < 300) {
            return said;
        }
        ProblemJson problem = ProblemJson.read(status, said);
        String detail = problem.detail();
        throw switch (problem.meaning()) {
            case OUTCOME_UNKNOWN -> new OutcomeUnknownException(detail, null);
            case ACCESS_REFUSED -> new AccessRefusedException(detail, null);
            case UNUSABLE -> new StoreUnusableException(detail, null);
            case UNAVAILABLE -> new StoreUnavailableException(detail, null);
            case REQUEST_REFUSED -> new CommandException(detail);
        };
    }
}
