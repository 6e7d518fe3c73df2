package dev.holdfast;

import dev.holdfast.model.LockKey;
import dev.holdfast.model.LostReason;
import java.time.Duration;

/**
 * Hears what a {@link LockClient} does, to measure or to log it: {@link ClientConfig#withListener}. What is not overridden does nothing, and
 * more may come.
 *
 * <p>Called on the thread on which it happens, which may be one of the engine's: return soon, and do not use locks. It is in the context of the
 * caller: {@link ClientConfig#withContext}. What it throws is logged, and changes nothing. Calls for different locks come at the same time.
 */
public interface LockListener {
    /** Hears nothing. */
    LockListener NONE = new LockListener() {};

    /** A lock was granted, after this long. */
    default void acquired(Lease lease, Duration waited) {}

    /** A lock was not granted, since others had it for this long. */
    default void busy(LockKey key, Duration waited) {}

    /** A lock was asked for, and the store failed, the call was cancelled, the client was closed, or the lease id asked for had ended. */
    default void failed(LockKey key, Throwable failure) {}

    /** A lease was lost: another may hold the lock. */
    default void lost(LockKey key, LostReason reason) {}

    /** A lease that was held until then was given back, after this long. */
    default void released(LockKey key, Duration held) {}
}
