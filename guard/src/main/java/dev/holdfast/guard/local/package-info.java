/**
 * A guard in this process. {@link dev.holdfast.guard.local.LocalGuard} is the door, {@link dev.holdfast.guard.local.GuardParts} what it is
 * built of.
 *
 * <pre>
 *   LocalGuard ──► StoredRequest    a stop or start that is stored: pending, if it cannot be judged now
 *                    └► Judge         brings a resource and its lock together; the Reconciler asks it for what is unfinished
 *                         └► ResourcePass   does what GuardRules says, a step at a time; a DryRun only reports it
 *
 *   what a pass uses (GuardContext hands it out)
 *     AppProbes        looks at apps and counts; FailureWatch and FailureTimes: for how long one has failed, by ClockReading
 *     ActuatorCalls    calls actuators           ResourceLeases       takes locks
 *     DecisionLog, DecisionPublisher, GuardMeter    tell what happened
 *   ResourceViews, AnswerMemory                     what is shown of resources, and what was seen last
 *   CallerPatience, WorkThreads                     how long a caller is kept waiting; the threads
 * </pre>
 */
@NullMarked
package dev.holdfast.guard.local;

import org.jspecify.annotations.NullMarked;
