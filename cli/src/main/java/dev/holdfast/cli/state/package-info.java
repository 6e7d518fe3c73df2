/**
 * {@code holdfast state …}: the state of stacks. One class per command, listed in {@link dev.holdfast.cli.state.StateCommand}.
 *
 * <pre>
 *   StateRunCommand, StatePushCommand                          run a program under a stack's lock; save a state under one: start here
 *     OuterRun, BaseVersion                                    the run around this process; the version a state was made from
 *   StatePullCommand, StateShowCommand, StateLsCommand         read
 *   StateHistoryCommand, StateDiffCommand, StateVerifyCommand  versions, what differs, whether all is whole
 *   StateRestoreCommand, StateBackupCommand                    go back, keep
 *   StateLocksCommand, StateUnlockCommand                      who holds; end it by force
 *   StackCommand, StackArgument, VisibleLocksOption            what most commands share, and their options
 *   DiffText, StackLockTable, StateWords                       what they print
 * </pre>
 *
 * Called by {@code Main}. Where the state is, is decided in {@link dev.holdfast.cli.state.access}. Knows that, {@code locks}, {@code exec},
 * {@code connect} and {@code text}; not whether a store or a server answers.
 */
@NullMarked
package dev.holdfast.cli.state;

import org.jspecify.annotations.NullMarked;
