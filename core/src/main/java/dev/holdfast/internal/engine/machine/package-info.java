/**
 * What an engine runs on: {@link dev.holdfast.internal.engine.machine.Machine} is time, timers, threads and randomness, the real one
 * {@link dev.holdfast.internal.engine.machine.ThreadMachine}. {@link dev.holdfast.internal.engine.machine.WriteBatcher} brings writes to the store together,
 * {@link dev.holdfast.internal.engine.machine.ListingPermits} lets few listings go there at a time, {@link dev.holdfast.internal.engine.machine.EngineMeter} is told.
 * {@link dev.holdfast.internal.engine.machine.CallerContext} brings a caller's context to where its code runs later.
 * Public for the engine's other packages, for simulations and for clients that renew over another line.
 */
@NullMarked
package dev.holdfast.internal.engine.machine;

import org.jspecify.annotations.NullMarked;
