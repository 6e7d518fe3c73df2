/**
 * What stops and starts resources. {@link dev.holdfast.guard.actuator.Actuator} is what the guard calls; {@link
 * dev.holdfast.guard.actuator.Actuators} makes those that are configured, with every {@link dev.holdfast.guard.actuator.ActuatorFactory} on
 * the class path: {@code builtin} has one, the module guard-aws another. To write one, extend {@link
 * dev.holdfast.guard.actuator.BoundedActuator}; {@link dev.holdfast.guard.actuator.ActuatorSettings}, {@link
 * dev.holdfast.guard.actuator.ReadBack} and {@link dev.holdfast.guard.actuator.HttpCalls} are there to help.
 *
 * <p>Every one of them carries the fencing token of the lock it acts under, refuses to act with an older one than it can see, does
 * nothing twice, ends within its time limit and reads back what came of it.
 *
 * <p>Where the newest token is kept: {@code ec2} and {@code rds} in keys of tags, {@code kubernetes} in an annotation written in the
 * same compare-and-set as the change, {@code http} at the other end and here, {@code command} in a directory if one is given, with
 * the program if it checks, and here, {@code log} here. "Here" is this process's memory: it forgets at a restart and knows nothing of
 * other replicas.
 */
@NullMarked
package dev.holdfast.guard.actuator;

import org.jspecify.annotations.NullMarked;
