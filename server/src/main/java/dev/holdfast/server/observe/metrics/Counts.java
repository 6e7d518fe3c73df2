package dev.holdfast.server.observe.metrics;

/**
 * How many locks are in use at the store.
 *
 * @param active holds
 * @param waiters places in queues
 * @param stale holds that have not been renewed for suspiciously long
 * @param complete whether everything was counted; false when there was more than the limit
 */
public record Counts(long active, long waiters, long stale, boolean complete) {}
