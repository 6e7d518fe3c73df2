/**
 * A guard in this process. {@link dev.holdfast.guard.local.LocalGuard} is the door, {@link dev.holdfast.guard.local.GuardParts} what it is
 * built of.
 *
 * <p>{@code Judge} brings a resource and its lock together; a {@code ResourcePass} then does what {@code GuardRules} says, a step at a
 * time, and a {@code DryRun} only tells it. A {@code StoredWish} answers where that fails and the wish is stored. {@code Reconciler} comes back to what is unfinished. {@code AppProbes} looks at apps and counts,
 * with {@code FailureWatch}; {@code ActuatorCalls} calls actuators; {@code ResourceLeases} takes locks; {@code DecisionLog} and {@code
 * DecisionPublisher} tell what happened. {@code GuardContext} hands these to each other.
 */
@NullMarked
package dev.holdfast.guard.local;

import org.jspecify.annotations.NullMarked;
