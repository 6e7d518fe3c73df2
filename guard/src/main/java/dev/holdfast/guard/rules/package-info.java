/**
 * What the guard decides. Pure: nothing here reads, calls, waits or remembers.
 *
 * <p>{@link dev.holdfast.guard.rules.StopRules} says whether a resource may be stopped, of what was seen of its apps. {@link
 * dev.holdfast.guard.rules.GuardRules} says what is done next, of {@link dev.holdfast.guard.rules.ResourceFacts all that is known}, as a
 * {@link dev.holdfast.guard.rules.Step}. Whoever takes the step, or only tells it, decides nothing more.
 */
@NullMarked
package dev.holdfast.guard.rules;

import org.jspecify.annotations.NullMarked;
