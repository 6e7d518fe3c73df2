/**
 * The locks of stacks as terraform's HTTP backend takes them. Start at {@link dev.holdfast.state.terraform.TerraformLocks}: lock, save,
 * delete, unlock, each by the ID that terraform made up. {@code LockIds} says which lease an ID stands for,
 * {@link dev.holdfast.state.terraform.TerraformLockInfo} what terraform tells about its lock and wants to read back, {@code Polls} who asks
 * again and so gets a place in the queue. Whoever serves the protocol only translates.
 */
@NullMarked
package dev.holdfast.state.terraform;

import org.jspecify.annotations.NullMarked;
