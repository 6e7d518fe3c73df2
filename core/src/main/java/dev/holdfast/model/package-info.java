/**
 * The values locks are made of. Everybody uses them: users, the rules, the engine, stores. They know nothing of any of these: no I/O, no
 * clock, no threads. Each is immutable and checks itself when it is made, so nothing checks it again.
 *
 * <pre>
 *   what is named      LockKey = RecordKey + LockPath; LeaseId an acquisition, EngineId an engine
 *   what is wanted     Scope (which paths, in which Mode), Terms (how long, kept how, shown how)
 *   what is stored     LockRecord, the unit of compare-and-set:
 *                        Hold, Waiter       who holds, who waits
 *                        Token, Stamp       the last fencing token; which write this is
 *                        Past               what is remembered when nobody holds: EndedLeases, Done
 *   what happened      LockEvent (an EventType, with its Cause and Account), Note, LostReason
 *   for all            Names has the bounds of every text, Times the conversions of every time
 * </pre>
 *
 * <p>Start reading at {@link dev.holdfast.model.LockRecord}. What may happen to it is decided by the rules, not here.
 */
@NullMarked
package dev.holdfast.model;

import org.jspecify.annotations.NullMarked;
