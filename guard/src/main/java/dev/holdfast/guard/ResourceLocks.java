package dev.holdfast.guard;

import java.util.Optional;

/** The locks of resources. Everything that judges, stops or starts a resource does so under its lock. */
interface ResourceLocks {
    /** A lock that is held; closing releases it. */
    interface Held extends ResourcePass.Hold, AutoCloseable {
        @Override
        void close();
    }

    /** Takes it, waiting for a while if it is held; empty if that was not enough. */
    Optional<Held> take(String id, String app, String purpose) throws InterruptedException;

    /** Takes it if it is free. */
    Optional<Held> takeIfFree(String id, String app, String purpose) throws InterruptedException;
}
