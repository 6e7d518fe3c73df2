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
 */
public record StoreTraits(
        String name, boolean exclusive, boolean blocking, int writers, int maxBatch, Duration pollInterval) {}
