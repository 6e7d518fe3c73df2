/**
 * Several engines on one store, in virtual time, with everything going wrong that can: lost, late and repeated messages, crashes, pauses,
 * sleeping machines, clocks that drift and step. After every event the promises S1 to S11 are checked. The engines, rules and clocks are the
 * real ones; everything below and around them is made here. Run by {@code SimulationTest} and {@code holdfast simulate}.
 *
 * <pre>
 *   Simulation            one run: faults for a while, then calm, in which every lock must become free
 *     SimulationPlan      what it is made of, drawn from the seed
 *     World               virtual time, the order of events, chance
 *     Node                a process: clocks, pauses, crashes; a machine for its engine
 *     SimStore ──► SimServer      a node's line to the store, and the store; Notices are its hints
 *     SimulatedCaller     uses locks, and now and then misuses them
 *     Meddler             old messages, strangers, operators
 *   Checker ──► Violation    knows what was promised; shares no code with the rules
 *   Explorer              apart from all this: every state the rules can reach within tiny bounds
 * </pre>
 *
 * <p>A run is a pure function of its seed: {@link dev.holdfast.testkit.simulation.Simulation#run} with the seed of a failure repeats it.
 */
@NullMarked
package dev.holdfast.testkit.simulation;

import org.jspecify.annotations.NullMarked;
