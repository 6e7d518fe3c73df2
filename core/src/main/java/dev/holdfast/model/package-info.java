/**
 * The values locks are made of: keys, modes, holds, waiters, and the {@link dev.holdfast.model.LockRecord} they live in.
 *
 * <p>Everything here is immutable and checks itself when it is made, so nothing checks it again. No I/O, no clock, no threads.
 */
@NullMarked
package dev.holdfast.model;

import org.jspecify.annotations.NullMarked;
