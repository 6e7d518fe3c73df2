/**
 * Looking at an app from outside, without being led anywhere it should not go.
 *
 * <p>{@link dev.holdfast.guard.probe.Prober} is what the guard asks; {@link dev.holdfast.guard.probe.HttpProber} answers, with a {@code ProbeRun}
 * for each probe. It resolves the name once, asks {@link dev.holdfast.guard.probe.AddressPolicy} about every address found and connects
 * to exactly those: what a name means cannot change between the check and the call. HTTP clients that let one choose the address exist
 * (OkHttp, HttpClient 5); the few lines of HTTP a probe needs are spoken here, on a plain socket, because none of them is a dependency
 * otherwise.
 *
 * <pre>
 * waiting (for one of the places) → resolving → connecting → [TLS] → HEAD → [GET] → answered
 *      └──────────────┴─────────────────┴──────────┴────────┴────────┴──→ UNKNOWN at the deadline
 * </pre>
 */
@NullMarked
package dev.holdfast.guard.probe;

import org.jspecify.annotations.NullMarked;
