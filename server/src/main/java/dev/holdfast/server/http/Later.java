package dev.holdfast.server.http;

import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Goes on after a stage. What is done then must handle its own failures: nobody waits for it. */
public final class Later {
    private Later() {}

    /** Calls {@code act} with the value or the failure. */
    public static <T> void then(CompletionStage<T> stage, BiConsumer<@Nullable T, @Nullable Throwable> act) {
        stage.whenComplete(act);
    }
}
