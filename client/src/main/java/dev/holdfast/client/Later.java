package dev.holdfast.client;

import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is done when an answer comes, by whoever brings it. */
final class Later {
    private static final Logger LOG = LoggerFactory.getLogger(Later.class);

    private Later() {}

    /** Calls {@code act} with the value or the bare failure. */
    static <T> void then(CompletionStage<T> stage, BiConsumer<@Nullable T, @Nullable Throwable> act) {
        stage.whenComplete((value, failure) -> {
            try {
                act.accept(value, failure == null ? null : cause(failure));
            } catch (RuntimeException e) {
                LOG.error("The lock client failed after an answer; please report this", e);
            }
        });
    }

    static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }
}
