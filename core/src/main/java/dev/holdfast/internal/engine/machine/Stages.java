package dev.holdfast.internal.engine.machine;

import dev.holdfast.internal.parts.Causes;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one way an engine, or a client of a server, goes on after a stage: what the continuation throws is a defect, and is seen. */
public final class Stages {
    private static final Logger LOG = LoggerFactory.getLogger(Stages.class);

    private Stages() {}

    /** Calls {@code act} with the value or the bare failure, here and now if the stage is complete. */
    public static <T> void then(CompletionStage<T> stage, BiConsumer<@Nullable T, @Nullable Throwable> act) {
        CompletableFuture<T> future = stage.toCompletableFuture();
        if (future.isDone() && !future.isCompletedExceptionally()) {
            guarded(future.join(), null, act); // the usual case on stores that answer at once: nothing more to allocate
        } else {
            CompletionStage<T> later = future; // a stage, not a future: nobody can wait for what comes of `act`
            later.whenComplete((value, failure) -> guarded(value, failure == null ? null : Causes.of(failure), act));
        }
    }

    private static <T> void guarded(
            @Nullable T value, @Nullable Throwable failure, BiConsumer<@Nullable T, @Nullable Throwable> act) {
        try {
            act.accept(value, failure);
        } catch (Throwable e) { // an Error too: who is told next must not miss it for that
            LOG.error("Holdfast failed after an answer; please report this", e);
        }
    }

    /** The stage, also from a store that throws where it should fail its stage. */
    public static <T> CompletionStage<T> from(Supplier<CompletionStage<T>> call) {
        try {
            return call.get();
        } catch (Throwable e) { // a driver may run out of memory or lack a class: the lane must come back
            return CompletableFuture.failedStage(e);
        }
    }

    /** The stage, whose length is told to the meter. */
    public static <T> CompletionStage<T> measured(
            EngineMeter meter, EngineMeter.Operation operation, int rows, Supplier<CompletionStage<T>> call) {
        if (meter == EngineMeter.NONE) {
            return from(call);
        }
        long start = System.nanoTime();
        CompletionStage<T> stage = from(call);
        then(
                stage,
                (value, failure) ->
                        meter.stored(operation, rows, Duration.ofNanos(System.nanoTime() - start), failure != null));
        return stage;
    }
}
