/**
 * {@code holdfast state …}: the state of stacks. One class per command, listed in {@link dev.holdfast.cli.state.StateCommand}; start with
 * {@code StatePushCommand}, which saves under a lock, or {@code StateRunCommand}, which runs a program under one. Where the state is, is
 * decided in {@link dev.holdfast.cli.state.access}; what most commands share is {@code StackCommand}.
 */
@NullMarked
package dev.holdfast.cli.state;

import org.jspecify.annotations.NullMarked;
