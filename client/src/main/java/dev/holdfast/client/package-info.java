/**
 * A Holdfast server as a {@link dev.holdfast.LockClient}: the same API as on a store, over HTTP.
 *
 * <pre>{@code
 * try (LockClient locks = LockClient.connect("https://locks-a.example.com,https://locks-b.example.com?token_file=token");
 *         Lease lease = locks.acquire("sync-all")) {
 *     orders.update(row, lease.token()); // fenced
 * }
 * }</pre>
 *
 * <p>{@link dev.holdfast.client.ServerLocks}, {@link dev.holdfast.client.ServerStates} and {@link dev.holdfast.client.ServerGuard} are what
 * a server offers: locks, state, and the guard. Start reading there. Beneath them, an {@code Ask} is a request; {@code Wire} brings it to a
 * server, with one {@code Sending} for each, which tries one server after the other, by the means that {@code ServerHttp} chose; {@code Verdict} says what an answer means; {@code Calls}
 * waits for answers about documents. {@code Polling} waits for a lock, {@code Heartbeat} renews, {@code Events} and {@code ForcedNews} listen.
 */
@NullMarked
package dev.holdfast.client;

import org.jspecify.annotations.NullMarked;
