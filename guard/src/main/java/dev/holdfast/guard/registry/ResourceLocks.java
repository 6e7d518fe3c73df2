package dev.holdfast.guard.registry;

import dev.holdfast.Lease;
import java.util.Optional;

/** The locks of resources. Everything that judges, stops or starts a resource does so under its lock. */
public interface ResourceLocks {
    /** A lock that is held; closing releases it. */
    interface HeldResource extends AutoCloseable {
        String owner();

        long token();

        /** Whether it is still held, as far as anybody here can say. */
        boolean isValid();

        /** The lease, for the history. */
        Optional<Lease> lease();

        @Override
        void close();
    }

    /** Takes it, waiting for a while if it is held; empty if that was not enough. */
    Optional<HeldResource> take(String id, String app, String purpose) throws InterruptedException;

    Optional<HeldResource> takeIfFree(String id, String app, String purpose) throws InterruptedException;
}
