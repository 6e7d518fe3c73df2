/**
 * The store that keeps records in memory: for tests, and for locks that one process shares with itself. It is a store like any other:
 * {@link dev.holdfast.memory.MemoryStore} implements {@code spi}, and knows neither rules nor engine. Where several engines share one
 * object, it behaves like a remote store, with notifications.
 */
@NullMarked
package dev.holdfast.memory;

import org.jspecify.annotations.NullMarked;
