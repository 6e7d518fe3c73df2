package dev.holdfast.server.state;

import dev.holdfast.server.http.Later;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Waits for the engine, on a thread that may block. */
final class Waited {
    private Waited() {}

    /** Its answer; its failure is thrown as it is. */
    static <T> T on(CompletableFuture<T> answer) {
        try {
            return answer.join();
        } catch (CompletionException e) {
            Throwable cause = Later.cause(e);
            throw cause instanceof RuntimeException failure ? failure : e;
        }
    }
}
