package dev.holdfast.engine;

import java.time.Duration;

/**
 * The engine's limits and habits.
 *
 * @param history whether events are written to stores that can keep them
 * @param operationTimeout how long an operation is retried when the store fails, unless its lease ends sooner
 * @param staleAfter a hold not renewed for this long looks stale
 * @param retention how long an idle record is kept
 * @param historyRetention how long events are kept
 * @param sweepEvery how often expired holds, dead waiters and idle records are looked for
 * @param keysCached how many records are remembered at most, besides those in use
 * @param waitersPerKey how many callers may wait for one lock in this process
 * @param waiters how many callers may wait in this process in all
 */
public record EngineConfig(
        boolean history,
        Duration operationTimeout,
        Duration staleAfter,
        Duration retention,
        Duration historyRetention,
        Duration sweepEvery,
        int keysCached,
        int waitersPerKey,
        int waiters) {
    /** Checks that every limit is at least one, and every time longer than none. */
    public EngineConfig {
        positive("operation timeout", operationTimeout);
        positive("stale-after", staleAfter);
        positive("retention", retention);
        positive("history retention", historyRetention);
        positive("sweep interval", sweepEvery);
        positive("cached keys", keysCached);
        positive("waiters per key", waitersPerKey);
        positive("waiters", waiters);
    }

    private static void positive(String what, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(what + " '" + value + "' must be longer than zero");
        }
    }

    private static void positive(String what, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(what + " '" + value + "' must be 1 or more");
        }
    }

    /** What a library user gets without asking. */
    public static final EngineConfig DEFAULT = new EngineConfig(
            true,
            Duration.ofSeconds(10),
            Duration.ofMinutes(2),
            Duration.ofHours(24),
            Duration.ofDays(90),
            Duration.ofMinutes(10),
            20_000,
            10_000,
            100_000);

    /** The same, with or without history. */
    public EngineConfig withHistory(boolean kept) {
        return new EngineConfig(
                kept,
                operationTimeout,
                staleAfter,
                retention,
                historyRetention,
                sweepEvery,
                keysCached,
                waitersPerKey,
                waiters);
    }

    /** The same, giving up on a failing store after another time. */
    public EngineConfig withOperationTimeout(Duration timeout) {
        return new EngineConfig(
                history,
                timeout,
                staleAfter,
                retention,
                historyRetention,
                sweepEvery,
                keysCached,
                waitersPerKey,
                waiters);
    }
}
