package dev.holdfast;

import dev.holdfast.model.LockKey;
import dev.holdfast.model.LostReason;
import java.time.Duration;

/**
 * Is notified of what a {@link LockClient} does, for metrics or logs: {@link ClientConfig#withListener}. Methods that
 * are not overridden do nothing, and more may be added.
 *
 * <p>Called on the thread on which it happens, which may be one of the engine's: return soon, and do not use locks. It
 * is in the context of the caller: {@link ClientConfig#withContext}. What it throws is logged, and changes nothing.
 * Calls for different locks may come at the same time.
 */
public interface LockListener {
    /** Does nothing. */
    LockListener NONE = new LockListener() {};

    /** A lock was granted, after this long. */
    default void acquired(Lease lease, Duration waited) {}

    /** A lock was not granted within this time, since others had it. */
    default void busy(LockKey key, Duration waited) {}

    /** A lock was asked for, and the store failed, the call was cancelled, the client was closed, or the lease id asked for had ended. */
    default void failed(LockKey key, Throwable failure) {}

    /** A lease was lost: another may hold the lock. */
    default void lost(LockKey key, LostReason reason) {}

    /** A lease that was held until then was given back, after this long. */
    default void released(LockKey key, Duration held) {}
}
