package dev.holdfast.wire.backup;

import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.time.StoreClock;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** Waiting for a store, on a thread that has nothing else to do meanwhile. */
public final class Awaited {
    private Awaited() {}

    /** The answer; a failure is thrown as it is. */
    public static <T> T of(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw e;
        }
    }

    /** The store's time, measured first if it has to be. */
    public static StoreClock.Reading time(RecordStore store) {
        StoreClock clock = store.clock();
        if (clock.now().isEmpty()) {
            of(clock.measure());
        }
        return clock.now().orElseThrow(() -> new IllegalStateException("The store's time was measured and is unknown"));
    }
}
