/**
 * The actuators that need nothing but what Java has: {@code command}, {@code http}, {@code kubernetes} and {@code log}, made by {@link
 * dev.holdfast.guard.actuator.builtin.BuiltInActuators}. Each is one class with its helpers: {@code CommandLine} and {@code ProcessRun} for
 * commands, {@code Workload} and {@code WorkloadState} for Kubernetes; a {@code TokenGate} lets fencing tokens pass in rising order.
 */
@NullMarked
package dev.holdfast.guard.actuator.builtin;

import org.jspecify.annotations.NullMarked;
