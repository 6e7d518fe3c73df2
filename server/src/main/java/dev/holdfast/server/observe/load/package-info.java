/**
 * What the server was busy with lately, for people who look for what is wrong: {@code SlowOperations} are the commands that took long,
 * {@code HotLocks} the locks that were asked for most, {@code StoreOutcomes} whether the store answers. All are told by the engine, as
 * {@code Meters} is; {@code MeterFork} hands on to all of them. What goes to documents passes no engine: {@code WatchedDocuments} tells of
 * it, for the {@code CurrentRequest} of its thread. Bounded in memory, and kept by this process alone.
 */
@NullMarked
package dev.holdfast.server.observe.load;

import org.jspecify.annotations.NullMarked;
