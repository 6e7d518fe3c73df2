/**
 * What is counted and timed, for Prometheus. Start at {@code Meters}: the engine, the edge and the routes tell it what happens.
 *
 * <pre>
 *   Meters ─► LockTimers, StoreMeters, HttpTimers, DeployerMeters     told
 *         └─► Census ─► BusyLocks     locks in use at the store, counted now and then
 *             GaugeSources                  what is looked at when somebody scrapes
 * </pre>
 *
 * {@code BoundedLabels} keeps the number of label values independent of what callers send. The enums are labels: their names are public.
 */
@NullMarked
package dev.holdfast.server.observe.metrics;

import org.jspecify.annotations.NullMarked;
