/**
 * Time by hand: {@link dev.holdfast.test.machine.SettableClock}, and {@link dev.holdfast.test.machine.TestMachine}, on which
 * engines run while a test lets it pass. For tests of Holdfast itself and of stores; tests of code that uses locks have
 * {@link dev.holdfast.test.FakeLocks}.
 */
@NullMarked
package dev.holdfast.test.machine;

import org.jspecify.annotations.NullMarked;
