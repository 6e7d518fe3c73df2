/**
 * What is stored: {@link dev.holdfast.guard.registry.Registry} registers apps, {@link dev.holdfast.guard.registry.IntentStore} stores that
 * one stops or starts, both in {@link dev.holdfast.guard.registry.GuardDocuments}, written as {@link
 * dev.holdfast.guard.registry.DocumentFormat} says. {@link dev.holdfast.guard.registry.ActuatorChoice} says which actuator a resource has.
 * Nothing here probes or acts.
 */
@NullMarked
package dev.holdfast.guard.registry;

import org.jspecify.annotations.NullMarked;
