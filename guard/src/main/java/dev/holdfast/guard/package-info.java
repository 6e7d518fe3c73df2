/**
 * The guard: a shared resource is stopped only when nobody needs it.
 *
 * <p>Callers use {@link dev.holdfast.guard.Guard}. What is decided is decided in two pure places: {@code StopRules} says whether a
 * resource may be stopped, of what was seen of its apps; {@code GuardRules} says what is done next, of everything that is known. A
 * {@code ResourcePass} does it, a step at a time, under the lock of the resource. {@code AppProbes} and {@code FailureWatch} gather what was seen,
 * {@code IntentStore} and {@code Registry} store what is wished, {@code Reconciler} comes back to what is unfinished. Probes and actuators
 * are behind interfaces; nothing here knows how they work.
 */
@NullMarked
package dev.holdfast.guard;

import org.jspecify.annotations.NullMarked;
