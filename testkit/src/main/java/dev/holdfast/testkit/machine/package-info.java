/**
 * Time by hand: {@link dev.holdfast.testkit.machine.SettableClock}, and {@link dev.holdfast.testkit.machine.TestMachine}, on which
 * engines run while a test lets it pass.
 */
@NullMarked
package dev.holdfast.testkit.machine;

import org.jspecify.annotations.NullMarked;
