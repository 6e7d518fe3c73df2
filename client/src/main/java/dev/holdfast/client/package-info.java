/**
 * A Holdfast server as a {@link dev.holdfast.LockClient}: the same API as on a store, over HTTP.
 *
 * <pre>{@code
 * try (LockClient locks = LockClient.connect("https://locks-a.example.com,https://locks-b.example.com?token_file=token");
 *         Lease lease = locks.acquire("sync-all")) {
 *     orders.update(row, lease.token()); // fenced
 * }
 * }</pre>
 */
@NullMarked
package dev.holdfast.client;

import org.jspecify.annotations.NullMarked;
