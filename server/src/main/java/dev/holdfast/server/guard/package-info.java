/**
 * The guard over HTTP: apps, what they share, and whether that may be stopped. {@code GuardService} runs it, {@code GuardRoutes} has the
 * calls; {@code StopStartRoutes} those that stop and start, {@code Registrations} those that register.
 */
@NullMarked
package dev.holdfast.server.guard;

import org.jspecify.annotations.NullMarked;
