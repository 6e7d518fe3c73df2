/**
 * The guard: a shared resource is stopped only when nobody needs it.
 *
 * <p>Here is what a caller sees: {@link dev.holdfast.guard.Guard}, and the values it takes and gives. Nothing here does anything. The server's
 * routes, clients, and programs that embed a guard call in; no store, no HTTP route and no setting is known in this module.
 *
 * <pre>
 *   Registration, AppsYaml      what is registered; App, AppDatabase, HealthCheck, DesiredState: what is known of it then
 *   RegistrationResult          what came of it, with warnings; InvalidAppException, UnknownAppException
 *   GuardAnswer, GuardDecision  what was decided and why: GuardOutcome, Evidence; GuardBusyException: not now
 *   ResourceView, Intent        resources as they are shown: ResourceState, AppStanding, AppAnswer; QuickStatus of an app
 *   GuardConfig                 times and limits
 *   Identifiers, HttpCodes      public for the packages below
 *
 *   local      LocalGuard: passes, dry runs, the reconciler; everything that waits, locks, probes and acts
 *     │        ──► registry, rules, resource, actuator, probe
 *     ├─► registry   what is stored: apps, resources, intents          ──► resource, actuator, probe, wire
 *     ├─► rules      what is decided, purely; start reading here, at StopRules and GuardRules    ──► resource, actuator, probe
 *     │     │
 *     │     └─► resource   what is known of one resource, and which databases are one resource
 *     ├─► actuator   what stops and starts;  actuator.builtin has those that need nothing else    ──► actuator, probe
 *     └─► probe      looking at apps from outside
 *   wire       the values of this package as JSON
 * </pre>
 *
 * <p>An arrow means "knows"; none goes back up, and all know this package. {@code ArchitectureTest} checks it. Classes of {@code rules},
 * {@code resource} and {@code registry} are public for {@code local} alone.
 */
@NullMarked
package dev.holdfast.guard;

import org.jspecify.annotations.NullMarked;
