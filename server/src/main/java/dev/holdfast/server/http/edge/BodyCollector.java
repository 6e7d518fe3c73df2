package dev.holdfast.server.http.edge;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.function.Consumer;

/** Collects a body up to a limit. */
final class BodyCollector {
    private final int limit;
    private Buffer collected = Buffer.buffer();
    private boolean over;

    private BodyCollector(int limit) {
        this.limit = limit;
    }

    /** Calls one of the two, once: the whole body, or that it was too large. */
    static void collect(HttpServerRequest request, int limit, Consumer<Buffer> whole, Runnable tooLarge) {
        BodyCollector incoming = new BodyCollector(limit);
        request.handler(chunk -> {
            if (incoming.over) {
                return;
            }
            if (incoming.take(chunk)) {
                tooLarge.run();
            }
        });
        request.endHandler(end -> {
            if (!incoming.over) {
                whole.accept(incoming.collected);
            }
        });
    }

    private boolean take(Buffer chunk) {
        over = collected.length() + chunk.length() > limit;
        if (!over) {
            collected = collected.length() == 0 ? chunk : collected.appendBuffer(chunk);
        }
        return over;
    }
}
