/**
 * The leases this process holds. {@link dev.holdfast.internal.engine.leases.LeaseRenewals} renews them by their deadlines and says which are lost;
 * {@link dev.holdfast.internal.engine.leases.KeptLease} is one of them, and {@link dev.holdfast.internal.engine.leases.Renewer} the way a renewal goes: to
 * the engine of this process, or to a server.
 */
@NullMarked
package dev.holdfast.internal.engine.leases;

import org.jspecify.annotations.NullMarked;
