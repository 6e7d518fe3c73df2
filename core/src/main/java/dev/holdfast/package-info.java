/**
 * Locks for programs: start at {@link dev.holdfast.LockClient}.
 *
 * <pre>{@code
 * try (LockClient locks = LockClient.connect("sqlite:locks.db");
 *         Lease lease = locks.acquire("sync-all")) {
 *     orders.update(row, lease.token()); // fenced
 * }
 * }</pre>
 */
@NullMarked
package dev.holdfast;

import org.jspecify.annotations.NullMarked;
