/**
 * The guard over HTTP: apps, what they share, and whether that may be stopped.
 *
 * <pre>
 *   GuardService          runs the guard of this server, as GuardOptions say
 *     ConfiguredGuard       a guard as the settings say, also for a command at a store; MissingActuatorException, ProbeTargets: what it refuses
 *   GuardRoutes           the calls; StopStartRoutes: those that stop and start
 *     RegistrationReader    reads apps from bodies            NamePaging    lists by name
 *   GuardMeters           counts and traces what is decided
 * </pre>
 *
 * Called by {@code http.edge} through the list of routes. Knows {@code http}, {@code auth} and {@code observe}.
 */
@NullMarked
package dev.holdfast.server.guard;

import org.jspecify.annotations.NullMarked;
