package dev.holdfast.guard.local;

import dev.holdfast.guard.GuardDecision;
import java.time.Duration;

/** Counts what a guard does. Calls are short and must not throw; any thread. */
public interface GuardMeter {
    /** Counts nothing. */
    GuardMeter NONE = new GuardMeter() {};

    /** Something was decided and recorded: {@code db.stop.skipped_shared_active}, {@code db.stop.stopped} and the others. */
    default void decided(GuardDecision decision) {}

    /** A lock was asked for: {@code lock.acquire.retries} and {@code lock.acquire.duration}. */
    default void lockAsked(int retries, Duration took, boolean acquired) {}
}
