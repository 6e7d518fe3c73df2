/**
 * The actuators that need nothing but what Java has, made by {@link dev.holdfast.guard.actuator.builtin.BuiltInActuators}.
 *
 * <pre>
 *   CommandActuator       command       CommandLine, ProcessRun: a program and one run of it
 *   HttpActuator          http
 *   KubernetesActuator    kubernetes    Workload, WorkloadState: what is scaled, and how it stands
 *   LogActuator           log
 *
 *   TokenGate             lets fencing tokens pass in rising order: TokenMemory in this process, TokenFiles in a directory
 *   ActuatorSecrets       files with tokens and certificates
 * </pre>
 */
@NullMarked
package dev.holdfast.guard.actuator.builtin;

import org.jspecify.annotations.NullMarked;
