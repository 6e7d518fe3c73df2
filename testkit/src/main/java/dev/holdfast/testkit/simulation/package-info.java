/**
 * Several engines on one store, in virtual time, with everything going wrong that can: lost, late and repeated messages,
 * crashes, pauses, sleeping machines, clocks that drift and step. After every event the promises S1 to S11 are checked.
 *
 * <p>A run is a pure function of its seed: {@link dev.holdfast.testkit.simulation.Simulation#run} with the seed of a failure
 * repeats it, step by step.
 */
@NullMarked
package dev.holdfast.testkit.simulation;

import org.jspecify.annotations.NullMarked;
