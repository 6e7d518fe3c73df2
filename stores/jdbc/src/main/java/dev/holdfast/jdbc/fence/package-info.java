/**
 * A lease checked against its lock, in the caller's own transaction. Start with {@link dev.holdfast.jdbc.fence.FenceCheck}. Uses a
 * plain connection: of the rest of the module only the form of a lock's row is known here.
 *
 * <pre>
 *   FenceCheck ── FenceRows       the tokens that wrote, by part of the lock
 *        ├─────── FenceDialect    how transactions wait for each other, by database
 *        └─────── StaleLease      why a lease may not write any more
 * </pre>
 */
@NullMarked
package dev.holdfast.jdbc.fence;

import org.jspecify.annotations.NullMarked;
