/**
 * The commands about single locks.
 *
 * <pre>
 *   AcquireCommand, WaitCommand, RenewCommand, ReleaseCommand   take, keep and give back
 *     LockArgument, LeaseOption                                 which lock, which lease
 *     RefusalText                                               why it was not granted, and what can be done
 *   LsCommand, GetCommand, ExplainCommand, HistoryCommand       look
 *     LockLines, Explanation, PastHolds                         what these print
 *   UnlockCommand, UnlockOptions, ForcedUnlock, CleanupCommand  end by force; clear what has expired
 *   DeployerCommand, DeployerText                               the script {@code deployer}
 * </pre>
 *
 * Called by {@code Main}, which lists the commands; {@code state} ends holds with {@code ForcedUnlock} and prints with {@code RefusalText}.
 * Knows {@code watch}, {@code exec}, {@code connect} and {@code text}: the same commands work on a store and through a server, so nothing
 * here may know which it is.
 */
@NullMarked
package dev.holdfast.cli.locks;

import org.jspecify.annotations.NullMarked;
