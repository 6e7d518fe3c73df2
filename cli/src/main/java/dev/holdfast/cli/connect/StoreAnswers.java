package dev.holdfast.cli.connect;

import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.time.StoreClock;
import dev.holdfast.wire.backup.Awaited;
import java.util.concurrent.CompletionStage;

/** Waiting for a store or a lock service, in commands that have nothing else to do meanwhile. */
public final class StoreAnswers {
    private StoreAnswers() {}

    /** The answer; a failure is thrown as it is. */
    public static <T> T of(CompletionStage<T> stage) {
        return Awaited.of(stage);
    }

    /** The store's time, measured first if it has to be. */
    public static StoreClock.Reading time(RecordStore store) {
        return Awaited.time(store);
    }
}
