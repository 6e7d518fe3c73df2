/**
 * Waiting for a lock, and running a program under it. Start with {@link dev.holdfast.cli.exec.ExecRun}: wait
 * ({@link dev.holdfast.cli.exec.LockWait}), start the child ({@code ChildProcess}), watch child and lease together
 * ({@code ChildWatch}), and kill the child in time when the lease is lost ({@link dev.holdfast.cli.exec.KillRule}). Signals go to
 * the child ({@link dev.holdfast.cli.exec.SignalRelay}); Linux tells in {@code /proc} what the child started ({@code ProcessTree}).
 *
 * <p>{@code state run} runs the same way, {@code acquire} and {@code state push} wait the same way.
 */
@NullMarked
package dev.holdfast.cli.exec;

import org.jspecify.annotations.NullMarked;
