package dev.holdfast.wire.backup;

import dev.holdfast.internal.parts.Uninterruptibly;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.time.StoreClock;

/** The time of a store, asked for on a thread that has nothing else to do meanwhile. */
public final class StoreTime {
    private StoreTime() {}

    /** Measured first if it has to be. */
    public static StoreClock.Reading of(RecordStore store) {
        StoreClock clock = store.clock();
        if (clock.now().isEmpty()) {
            Uninterruptibly.answer(clock.measure());
        }
        return clock.now().orElseThrow(() -> new IllegalStateException("The store's time was measured and is unknown"));
    }
}
