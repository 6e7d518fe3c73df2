package dev.holdfast.engine;

import java.time.Duration;
import java.util.function.Consumer;

/** The engine's limits and habits: {@link #DEFAULT}, changed by what begins with {@code with}. Cannot be changed itself. */
public final class EngineConfig {
    /** What a library user gets without asking. */
    public static final EngineConfig DEFAULT = new EngineConfig();

    private boolean history = true;
    private Duration operationTimeout = Duration.ofSeconds(10);
    private Duration staleAfter = Duration.ofMinutes(2);
    private Duration retention = Duration.ofHours(24);
    private Duration historyRetention = Duration.ofDays(90);
    private Duration sweepEvery = Duration.ofMinutes(10);
    private int keysCached = 20_000;
    private int waitersPerKey = 10_000;
    private int waiters = 100_000;

    private EngineConfig() {}

    private EngineConfig with(Consumer<EngineConfig> change) {
        EngineConfig copy = new EngineConfig();
        copy.history = history;
        copy.operationTimeout = operationTimeout;
        copy.staleAfter = staleAfter;
        copy.retention = retention;
        copy.historyRetention = historyRetention;
        copy.sweepEvery = sweepEvery;
        copy.keysCached = keysCached;
        copy.waitersPerKey = waitersPerKey;
        copy.waiters = waiters;
        change.accept(copy);
        return copy;
    }

    /** The same, with or without history. */
    public EngineConfig withHistory(boolean kept) {
        return with(copy -> copy.history = kept);
    }

    /** The same, giving up on a failing store after another time. */
    public EngineConfig withOperationTimeout(Duration other) {
        positive("operation timeout", other);
        return with(copy -> copy.operationTimeout = other);
    }

    /** The same, calling a hold stale after another time without a renewal. */
    public EngineConfig withStaleAfter(Duration other) {
        positive("stale-after", other);
        return with(copy -> copy.staleAfter = other);
    }

    /** The same, keeping idle records for another time. */
    public EngineConfig withRetention(Duration other) {
        positive("retention", other);
        return with(copy -> copy.retention = other);
    }

    /** The same, keeping events for another time. */
    public EngineConfig withHistoryRetention(Duration other) {
        positive("history retention", other);
        return with(copy -> copy.historyRetention = other);
    }

    /** The same, tidying up at another interval. */
    public EngineConfig withSweepEvery(Duration other) {
        positive("sweep interval", other);
        return with(copy -> copy.sweepEvery = other);
    }

    /** The same, remembering so many records besides those in use. */
    public EngineConfig withKeysCached(int other) {
        positive("cached keys", other);
        return with(copy -> copy.keysCached = other);
    }

    /** The same with room for so many waiting callers: at one lock, and in all. */
    public EngineConfig withWaiters(int perKey, int inAll) {
        positive("waiters per key", perKey);
        positive("waiters", inAll);
        return with(copy -> {
            copy.waitersPerKey = perKey;
            copy.waiters = inAll;
        });
    }

    /** Whether events are written to stores that can keep them. */
    public boolean history() {
        return history;
    }

    /** How long an operation is retried when the store fails, unless its lease ends sooner. */
    public Duration operationTimeout() {
        return operationTimeout;
    }

    /** A hold not renewed for this long looks stale. */
    public Duration staleAfter() {
        return staleAfter;
    }

    /** How long an idle record is kept. */
    public Duration retention() {
        return retention;
    }

    /** How long events are kept. */
    public Duration historyRetention() {
        return historyRetention;
    }

    /** How often expired holds, dead waiters and idle records are looked for. */
    public Duration sweepEvery() {
        return sweepEvery;
    }

    /** How many records are remembered at most, besides those in use. */
    public int keysCached() {
        return keysCached;
    }

    /** How many callers may wait for one lock in this process. */
    public int waitersPerKey() {
        return waitersPerKey;
    }

    /** How many callers may wait in this process in all. */
    public int waiters() {
        return waiters;
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
}
