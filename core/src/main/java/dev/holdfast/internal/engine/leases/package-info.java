/**
 * The leases this process holds: when they are renewed, and when they are lost. Called by {@code LockEngine}, for leases at a store,
 * and by {@code ServerLocks} of the client, for leases at a server.
 *
 * <pre>
 *   LeaseRenewals     renews, retries, and says which lease is lost, once
 *     ├─ DueLeases        when each lease is looked at next
 *     ├─ RenewalTurns     how many renewals are under way, and who is next
 *     ├─ RenewalLine      what the way there is like: told of changes or not, many in one request or not
 *     └─ Renewer          the way itself: OwnRenewer of the engine, Heartbeat of the client
 *   KeptLease         one lease: valid until when, whom to tell
 * </pre>
 *
 * <p>How long a lease is believed in is said by {@code judgement}; nothing here knows a store, a server or a rule.
 */
@NullMarked
package dev.holdfast.internal.engine.leases;

import org.jspecify.annotations.NullMarked;
