package dev.holdfast.guard.actuator;

import dev.holdfast.wire.json.InvalidJsonException;
import dev.holdfast.wire.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;

/**
 * Calls of an HTTP interface that end by their deadline and read no more than a limit. Redirects are not followed: a token is
 * for the server that was configured. Proxies as the JVM's properties say.
 */
public final class HttpCalls {
    /** A description of one resource is a few kilobytes. */
    public static final int MOST_READ = 4 * 1024 * 1024;

    private final HttpClient client;

    /** Believing the certificates this context believes. */
    public HttpCalls(SSLContext tls) {
        client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .sslContext(tls)
                .build();
    }

    /** An answer: its status, and all of its body. */
    public record Reply(int code, String body) {
        public boolean good() {
            return code / 100 == 2;
        }

        /** The body as JSON; {@code null} if it is none. */
        public Json json() {
            try {
                return Json.parse(body.getBytes(StandardCharsets.UTF_8));
            } catch (InvalidJsonException e) {
                return Json.nil();
            }
        }
    }

    /** The answer. Throws IOException if there is none by the deadline: what was asked may have been done. */
    public Reply send(HttpRequest.Builder request, Deadline deadline) throws IOException, ActFailure {
        CompletableFuture<HttpResponse<byte[]>> call = client.sendAsync(request.build(), answer -> bounded());
        try {
            HttpResponse<byte[]> response = call.get(deadline.left().toNanos(), TimeUnit.NANOSECONDS);
            return new Reply(response.statusCode(), new String(response.body(), StandardCharsets.UTF_8));
        } catch (TimeoutException e) {
            throw new IOException("no answer within the time limit", e);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IOException(
                    cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ActFailure("interrupted while waiting; look at the resource's state before trying again", e);
        } finally {
            call.cancel(true);
        }
    }

    /** A body up to the limit: what is longer is not read on. */
    private static HttpResponse.BodySubscriber<byte[]> bounded() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        return BodySubscribers.mapping(
                BodySubscribers.ofByteArrayConsumer(part -> {
                    part.ifPresent(bytes::writeBytes);
                    if (bytes.size() > MOST_READ) {
                        throw new IllegalStateException("the answer is longer than " + MOST_READ + " bytes");
                    }
                }),
                done -> bytes.toByteArray());
    }
}
