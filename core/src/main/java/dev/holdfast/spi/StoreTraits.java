package dev.holdfast.spi;

import java.time.Duration;

/**
 * What the engine needs to know about a store to use it well. Immutable; the {@code with…} methods return a changed
 * copy.
 */
public final class StoreTraits {
    private static final Duration EVENT_POLL = Duration.ofMillis(250);

    private final String name;
    private final boolean exclusive;
    private final boolean blocking;
    private final int writers;
    private final int singles;
    private final int maxBatch;
    private final Duration pollInterval;
    private final Duration restingPoll;

    private StoreTraits(
            String name,
            boolean exclusive,
            boolean blocking,
            int writers,
            int singles,
            int maxBatch,
            Duration pollInterval,
            Duration restingPoll) {
        if (restingPoll.compareTo(pollInterval) < 0) {
            throw new IllegalArgumentException(
                    "restingPoll " + restingPoll + " must not be shorter than pollInterval " + pollInterval);
        }
        this.name = name;
        this.exclusive = exclusive;
        this.blocking = blocking;
        this.writers = writers;
        this.singles = singles;
        this.maxBatch = maxBatch;
        this.pollInterval = pollInterval;
        this.restingPoll = restingPoll;
    }

    /** A store that others write too, that takes one write of one record at a time, and where reading costs next to nothing. */
    public static StoreTraits of(String name, Duration pollInterval) {
        return new StoreTraits(name, false, false, 1, 1, 1, pollInterval, pollInterval);
    }

    /** The same, written by this process alone, or by others too. */
    public StoreTraits withExclusive(boolean other) {
        return new StoreTraits(name, other, blocking, writers, singles, maxBatch, pollInterval, restingPoll);
    }

    /** The same, working on the calling thread, or not. */
    public StoreTraits withBlocking(boolean other) {
        return new StoreTraits(name, exclusive, other, writers, singles, maxBatch, pollInterval, restingPoll);
    }

    /** The same with this many writes at once. */
    public StoreTraits withWriters(int other) {
        return new StoreTraits(
                name, exclusive, blocking, other, Math.max(other, singles), maxBatch, pollInterval, restingPoll);
    }

    /** The same with this many writes at once while few callers have something to write; not fewer than {@link #writers()}. */
    public StoreTraits withSingles(int other) {
        return new StoreTraits(
                name, exclusive, blocking, writers, Math.max(writers, other), maxBatch, pollInterval, restingPoll);
    }

    /** The same with this many records in one write. */
    public StoreTraits withMaxBatch(int other) {
        return new StoreTraits(name, exclusive, blocking, writers, singles, other, pollInterval, restingPoll);
    }

    /** The same, polling only this often while nothing happens. */
    public StoreTraits withRestingPoll(Duration other) {
        return new StoreTraits(name, exclusive, blocking, writers, singles, maxBatch, pollInterval, other);
    }

    /** How often its event log is looked at for events of other processes. */
    public Duration eventPoll() {
        return restingPoll.equals(pollInterval) ? EVENT_POLL : pollInterval;
    }

    /** Short name for messages and metrics, such as {@code sqlite}. */
    public String name() {
        return name;
    }

    /** Only this process can write: what it last wrote is what is stored, and no polling is needed. */
    public boolean exclusive() {
        return exclusive;
    }

    /** Its methods do their work on the calling thread. */
    public boolean blocking() {
        return blocking;
    }

    /** How many writes of many records may usefully be under way at once, besides renewals. */
    public int writers() {
        return writers;
    }

    /**
     * Up to how many records are written each on its own as they come. With more than that at a time, they are gathered for {@link
     * #writers()}.
     */
    public int singles() {
        return singles;
    }

    /** Most records in one write. */
    public int maxBatch() {
        return maxBatch;
    }

    /** How often a waiting engine looks, between notifications or instead of them. */
    public Duration pollInterval() {
        return pollInterval;
    }

    /**
     * How long it may wait between polls when nothing has happened for long, because every read costs money; at least
     * the poll interval.
     */
    public Duration restingPoll() {
        return restingPoll;
    }
}
