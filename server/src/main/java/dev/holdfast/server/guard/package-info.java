/**
 * The guard over HTTP: apps, what they share, and whether that may be stopped. {@code ConfiguredGuard} is a guard as the settings say, for a
 * command at a store too, and refuses what they forbid ({@code ProbeTargets}); {@code GuardService} runs it in a server, {@code GuardRoutes} has the
 * calls; {@code StopStartRoutes} those that stop and start, {@code Registrations} those that register.
 */
@NullMarked
package dev.holdfast.server.guard;

import org.jspecify.annotations.NullMarked;
