package dev.holdfast.server.http.edge;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.function.Consumer;

/** Collects a body up to a limit. */
final class BodyCollector {
    private BodyCollector() {}

    /** Calls one of the two, once: the whole body, or that it was too large. */
    static void collect(HttpServerRequest request, int limit, Consumer<Buffer> whole, Runnable tooLarge) {
        Buffer collected = Buffer.buffer();
        request.endHandler(end -> whole.accept(collected));
        request.handler(chunk -> {
            if (collected.length() + chunk.length() <= limit) {
                collected.appendBuffer(chunk);
            } else {
                request.handler(rest -> {}).endHandler(end -> {});
                tooLarge.run();
            }
        });
    }
}
