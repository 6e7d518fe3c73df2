/**
 * The guard: a shared resource is stopped only when nobody needs it.
 *
 * <p>Here is what a caller sees: {@link dev.holdfast.guard.Guard}, and the values it takes and gives. Apps are registered
 * ({@link dev.holdfast.guard.Registration}, {@link dev.holdfast.guard.App}), resources are shown ({@link
 * dev.holdfast.guard.ResourceView}), and what was decided is a {@link dev.holdfast.guard.GuardDecision}. Nothing here does anything.
 *
 * <pre>
 *   local      LocalGuard: passes, dry runs, the reconciler; everything that waits, locks, probes and acts
 *     │
 *     ├─► registry   what is stored: apps, resources, intents
 *     ├─► rules      what is decided, purely; start reading here, at StopRules and GuardRules
 *     │     │
 *     │     └─► resource   what is known of one resource, and which databases are one resource
 *     ├─► actuator   what stops and starts;  actuator.builtin has those that need nothing else
 *     └─► probe      looking at apps from outside
 *   wire       the values of this package as JSON
 * </pre>
 *
 * <p>An arrow means "knows"; none goes back up, and all know this package. {@code ArchitectureTest} checks it. Classes of {@code rules},
 * {@code resource} and {@code registry} are public for {@code local} alone. {@link dev.holdfast.guard.Identifiers} is public for the
 * packages below.
 */
@NullMarked
package dev.holdfast.guard;

import org.jspecify.annotations.NullMarked;
