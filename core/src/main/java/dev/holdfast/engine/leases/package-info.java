/**
 * The leases this process holds. {@link dev.holdfast.engine.leases.LeaseRenewals} renews them by their deadlines and says which are lost;
 * {@link dev.holdfast.engine.leases.KeptLease} is one of them, and {@link dev.holdfast.engine.leases.Renewer} the way a renewal goes: to
 * the engine of this process, or to a server.
 */
@NullMarked
package dev.holdfast.engine.leases;

import org.jspecify.annotations.NullMarked;
