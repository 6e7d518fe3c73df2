package dev.holdfast.engine;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one way the engine goes on after a stage: what the continuation throws is a defect, and is seen. */
final class Stages {
    private static final Logger LOG = LoggerFactory.getLogger(Stages.class);

    private Stages() {}

    /** Calls {@code act} with the value or the bare failure, here and now if the stage is complete. */
    static <T> void then(CompletionStage<T> stage, BiConsumer<@Nullable T, @Nullable Throwable> act) {
        stage.whenComplete((value, failure) -> act.accept(value, failure == null ? null : unwrapped(failure)))
                .exceptionally(thrown -> {
                    if (!stage.toCompletableFuture().isCompletedExceptionally()) {
                        LOG.error("The lock engine failed after an answer; please report this", thrown);
                    }
                    return null;
                });
    }

    /** The stage, also from a store that throws where it should fail its stage. */
    static <T> CompletionStage<T> from(Supplier<CompletionStage<T>> call) {
        try {
            return call.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedStage(e);
        }
    }

    static Throwable unwrapped(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }
}
