package dev.holdfast.server.http;

import io.vertx.core.Context;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Goes on after a stage. What is done then must handle its own failures: nobody waits for it. */
public final class StageContinuation {
    private StageContinuation() {}

    /** The failure of a stage, to be passed on from a continuation that was given none of its value. */
    public static CompletionException failed(@Nullable Throwable failure) {
        return new CompletionException(
                failure == null ? new IllegalStateException("neither value nor failure") : failure);
    }

    /** The same, on the event loop of a request. */
    public static <T> void on(
            Context loop, CompletionStage<T> stage, BiConsumer<@Nullable T, @Nullable Throwable> act) {
        then(stage, (value, failure) -> loop.runOnContext(back -> act.accept(value, failure)));
    }

    public static <T> void then(CompletionStage<T> stage, BiConsumer<@Nullable T, @Nullable Throwable> act) {
        stage.whenComplete(act);
    }
}
