package dev.holdfast.server.backup;

import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A response, to be written to by a thread that may block. A part is sent when the client has taken the one before it, so what waits in
 * memory is one part, however slow the client.
 */
final class ResponseStream extends OutputStream {
    private static final int PART = 64 << 10;

    private final HttpServerResponse response;
    private final Context context;
    private final Duration patience;
    private Buffer part = Buffer.buffer(PART);
    private volatile String stopped = "";

    /** @param patience how long a client may take nothing */
    ResponseStream(HttpServerResponse response, Context context, Duration patience) {
        this.response = response;
        this.context = context;
        this.patience = patience;
    }

    @Override
    public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        part.appendBytes(bytes, from, length);
        if (part.length() >= PART) {
            send();
        }
    }

    /** The next part is not sent, for this reason; called on any thread. */
    void stop(String why) {
        stopped = why;
    }

    void end() throws IOException {
        if (part.length() > 0) {
            send();
        }
        context.runOnContext(now -> response.end());
    }

    private void send() throws IOException {
        if (!stopped.isEmpty()) {
            throw new IOException(stopped);
        }
        Buffer full = part;
        part = Buffer.buffer(PART);
        CompletableFuture<Void> taken = new CompletableFuture<>();
        context.runOnContext(now -> {
            if (response.closed()) {
                taken.completeExceptionally(new IOException("the client has gone"));
                return;
            }
            response.write(full).onSuccess(taken::complete).onFailure(taken::completeExceptionally);
        });
        try {
            taken.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new IOException("the client has gone", e.getCause());
        } catch (TimeoutException e) {
            throw new IOException("the client took nothing for " + patience.toSeconds() + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("the server stops", e);
        }
    }
}
