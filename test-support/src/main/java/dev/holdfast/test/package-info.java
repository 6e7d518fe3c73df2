/**
 * For tests of code that uses {@link dev.holdfast.LockClient}. {@link dev.holdfast.test.FakeLocks} has real clients on locks in memory, a
 * clock that stands still until the test moves it, and the ways in which locks go wrong; {@link dev.holdfast.test.FakeLocksExtension} gives
 * one to each JUnit test.
 *
 * <pre>
 *   FakeLocks ──► FakeProcess, one per client and per {@link dev.holdfast.test.Rival}: a real engine and client
 *                   ├─ FakeService   what the engine is asked, and how its failures are told
 *                   ├─ FakeMachine   its timers and callbacks
 *                   └─ FakeStore     its line to the one MemoryStore, which can be cut
 *             ──► FakeTime           one clock for all; a wait of the test moves it
 * </pre>
 *
 * Nothing here decides about locks: that is the engine's.
 */
@NullMarked
package dev.holdfast.test;

import org.jspecify.annotations.NullMarked;
