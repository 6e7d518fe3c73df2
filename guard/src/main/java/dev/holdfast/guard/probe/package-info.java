/**
 * Looking at an app from outside, without being led anywhere it should not go.
 *
 * <p>A probe resolves the name once, asks {@link dev.holdfast.guard.probe.AddressPolicy} about every address found and
 * connects to exactly those: what a name means cannot change between the check and the call. That is why the few lines of HTTP
 * a probe needs are spoken here. A ready-made client resolves the name again, and one that is given an address instead of a
 * name checks the certificate against the address.
 *
 * <pre>
 * waiting (for one of the places) → resolving → connecting → [TLS] → HEAD → [GET] → answered
 *      └──────────────┴─────────────────┴──────────┴────────┴────────┴──→ UNKNOWN at the deadline
 * </pre>
 */
@NullMarked
package dev.holdfast.guard.probe;

import org.jspecify.annotations.NullMarked;
