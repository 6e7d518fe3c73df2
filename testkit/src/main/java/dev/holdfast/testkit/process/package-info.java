/**
 * Other JVMs of ours, for tests of what happens between processes. Start reading at {@link dev.holdfast.testkit.process.JavaProgram}: it says
 * what to start, and gives a {@link dev.holdfast.testkit.process.JavaProcess}, which is heard, told, paused and killed. Two kinds are
 * ready made: a {@link dev.holdfast.testkit.process.ServerProcess} answers over HTTP, and a {@link dev.holdfast.testkit.process.TurnTaker}
 * takes one lock again and again and counts under it.
 */
@NullMarked
package dev.holdfast.testkit.process;

import org.jspecify.annotations.NullMarked;
