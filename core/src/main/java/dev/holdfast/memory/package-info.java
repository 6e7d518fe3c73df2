/** The store that keeps records in memory: for tests, and for locks that one process shares with itself. */
@NullMarked
package dev.holdfast.memory;

import org.jspecify.annotations.NullMarked;
