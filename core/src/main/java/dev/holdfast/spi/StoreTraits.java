package dev.holdfast.spi;

import java.time.Duration;

/**
 * What the engine needs to know of a store to use it well.
 *
 * @param name short name for messages and metrics, such as {@code sqlite}
 * @param exclusive only this process can write: what it last wrote is what is stored, and no polling is needed
 * @param blocking its methods do their work on the calling thread
 * @param writers how many writes may usefully be under way at once, besides renewals
 * @param maxBatch most records in one write
 * @param pollInterval how often a waiting engine looks, between notifications or instead of them
 * @param restingPoll how seldom it may look where nothing has happened for long, because every look costs money; not shorter
 */
public record StoreTraits(
        String name,
        boolean exclusive,
        boolean blocking,
        int writers,
        int maxBatch,
        Duration pollInterval,
        Duration restingPoll) {
    private static final Duration EVENT_POLL = Duration.ofMillis(250);

    /** Checks that resting is not more work. */
    public StoreTraits {
        if (restingPoll.compareTo(pollInterval) < 0) {
            throw new IllegalArgumentException(
                    "restingPoll " + restingPoll + " must not be shorter than pollInterval " + pollInterval);
        }
    }

    /** A store that others write too, that takes one write of one record at a time, and where looking costs nothing to speak of. */
    public static StoreTraits of(String name, Duration pollInterval) {
        return new StoreTraits(name, false, false, 1, 1, pollInterval, pollInterval);
    }

    /** The same, written by this process alone, or by others too. */
    public StoreTraits withExclusive(boolean other) {
        return new StoreTraits(name, other, blocking, writers, maxBatch, pollInterval, restingPoll);
    }

    /** The same, working on the calling thread, or not. */
    public StoreTraits withBlocking(boolean other) {
        return new StoreTraits(name, exclusive, other, writers, maxBatch, pollInterval, restingPoll);
    }

    /** The same with so many writes at once. */
    public StoreTraits withWriters(int other) {
        return new StoreTraits(name, exclusive, blocking, other, maxBatch, pollInterval, restingPoll);
    }

    /** The same with so many records in one write. */
    public StoreTraits withMaxBatch(int other) {
        return new StoreTraits(name, exclusive, blocking, writers, other, pollInterval, restingPoll);
    }

    /** The same, looking this seldom where nothing happens. */
    public StoreTraits withRestingPoll(Duration other) {
        return new StoreTraits(name, exclusive, blocking, writers, maxBatch, pollInterval, other);
    }

    /** How often its event log is looked at for events of other processes. */
    public Duration eventPoll() {
        return restingPoll.equals(pollInterval) ? EVENT_POLL : pollInterval;
    }
}
