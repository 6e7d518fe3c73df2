package dev.holdfast.internal.engine;

import dev.holdfast.model.LockRecord;
import dev.holdfast.spi.time.Anchor;

/**
 * A result, and what it rests on.
 *
 * @param result what the rules decided
 * @param anchor local time of the reading it was decided with; leases count from it
 * @param record the record after it
 * @param <R> the family of the result
 */
public record Answer<R>(R result, Anchor anchor, LockRecord record) {}
