package dev.holdfast.spi.time;

import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** The store's time, as far as this process knows it. */
public interface StoreClock {
    /**
     * Between which bounds the store's clock is now; empty when that has to be measured first (at the start, after a step or
     * failover, after the machine slept). Never blocks.
     */
    Optional<Reading> now();

    /** Measures again. Completes when {@link #now()} can answer; fails as reading a record does. */
    CompletionStage<Void> measure();

    /**
     * One reading.
     *
     * @param earliest the store's clock shows at least this
     * @param latest the store's clock shows at most this
     * @param trustedSince what was written before this must not be judged by the clock; {@link Instant#MIN} if all may,
     *     {@link Instant#MAX} on stores without a clock
     */
    record Reading(Instant earliest, Instant latest, Instant trustedSince) {
        /** An exact reading of a clock that never stepped. */
        public static Reading exactly(Instant time) {
            return new Reading(time, time, Instant.MIN);
        }
    }
}
