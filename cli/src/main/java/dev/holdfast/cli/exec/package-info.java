/**
 * Waiting for a lock, and running a program under it. Start with {@link dev.holdfast.cli.exec.ExecRun}.
 *
 * <pre>
 *   ExecCommand      reads the options (ExecOptions, HolderOptions, SharingOptions) into an ExecPlan
 *   ExecRun          does it:
 *     LockWait         waits for the lock; WaitingLine says for whom
 *     ChildProcess     starts the child
 *     ChildWatch       watches child and lease together, and kills the child in time when the lease is lost (KillRule, ProcessTree)
 *     SignalRelay      passes signals on to the child (Signals)
 *     LossCommand      runs what --on-lost says
 *     ExecReport       writes what happened
 * </pre>
 *
 * <p>{@code state run} runs the same way, {@code acquire} and {@code state push} wait the same way.
 */
@NullMarked
package dev.holdfast.cli.exec;

import org.jspecify.annotations.NullMarked;
