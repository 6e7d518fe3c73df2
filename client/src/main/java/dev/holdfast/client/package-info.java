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
 * <pre>
 *   ServerConnector                  finds the address of a server in a URL, for LockClient.connect
 *   ServerConfig, ClientIdentity     what users say about servers and about themselves
 *
 *   ServerLocks        locks         PolledAcquire waits for one, Heartbeat renews, ForcedNews hears what ends early, Events listens
 *   ServerStates       state         both by Calls, which waits for answers about documents; StateReplies says
 *                                    what those about state mean
 *   ServerGuard        guard
 *         │
 *   ServerTransport    brings a ServerRequest to a server: RequestAttempts tries one server after the other, ReplyMeaning says what
 *         │            an answer means, ServerReply is one
 *   ServerHttp         which HTTP client, and TlsTrust, IdentityKeys: whom it believes and who it is; RequestQuery writes queries
 * </pre>
 *
 * <p>Start reading at {@link dev.holdfast.client.ServerLocks}. The form of what is sent and read is in {@code wire}; what may happen to a
 * lock is decided by the server, and never here.
 */
@NullMarked
package dev.holdfast.client;

import org.jspecify.annotations.NullMarked;
