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

    /** A store where looking costs nothing to speak of. */
    public StoreTraits(
            String name, boolean exclusive, boolean blocking, int writers, int maxBatch, Duration pollInterval) {
        this(name, exclusive, blocking, writers, maxBatch, pollInterval, pollInterval);
    }

    /** How often its event log is looked at for events of other processes. */
    public Duration eventPoll() {
        return restingPoll.equals(pollInterval) ? EVENT_POLL : pollInterval;
    }
}
