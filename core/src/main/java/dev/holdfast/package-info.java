/**
 * Locks for programs: start at {@link dev.holdfast.LockClient}.
 *
 * <pre>{@code
 * try (LockClient locks = LockClient.connect("sqlite:locks.db");
 *         Lease lease = locks.acquire("sync-all")) {
 *     orders.update(row, lease.token()); // fenced
 * }
 * }</pre>
 *
 * <pre>
 *   users call      LockClient, with ClientConfig and AcquireOptions; Inspector looks at locks and ends them
 *   users get       Lease, Attempt, Once; Holder, LockView; LockBusyException, LeaseLostException; a LockListener is told
 *   beneath         LockService      what a client stands on: EngineLocks, the engine of this process, or a server (module client)
 *                   Connector, Stores    find what a URL names
 *   inside          ServiceClient is the client: AcquireQuestion asks for one lock, AllOf for several, OnceOnly runs work once,
 *                   HeldLease is the lease; Failures, AnswerFuture and ListenerCalls bring answers to callers on the right thread
 * </pre>
 *
 * <p>Nothing about locks is decided here: the rules do that, in the engine or at the server. Other packages: {@code concurrent} has locks as
 * Java knows them, {@code model} the values, {@code failure} the exceptions of all, {@code spi} what a store implements.
 */
@NullMarked
package dev.holdfast;

import org.jspecify.annotations.NullMarked;
