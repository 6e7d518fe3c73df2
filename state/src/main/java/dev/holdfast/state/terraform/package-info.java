/**
 * The locks of stacks as terraform's HTTP backend takes them. Start at {@link dev.holdfast.state.terraform.TerraformLocks}: lock, save,
 * delete, unlock, each by the ID that terraform made up. Whoever serves the protocol only translates.
 *
 * <pre>
 *   TerraformLocks        ──► LockAttempt; LockDeniedException: this ID may not be used like that
 *     LockIds               which lease an ID stands for
 *     Polls, LockWaiting    who asks again, and so gets a place in the queue; how one caller waits
 *     TerraformLockInfo     what terraform says about its lock and wants to read back; LockInfos keeps it
 *     ForceUnlock           ends whoever holds the stack, as far as a ForcePolicy allows
 *     LockHabits, LockMeter how long, how patiently; counting
 *   LockCaller, SaveBase  who asks; the version a change was made from
 * </pre>
 */
@NullMarked
package dev.holdfast.state.terraform;

import org.jspecify.annotations.NullMarked;
