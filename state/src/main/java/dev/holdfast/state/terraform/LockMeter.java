package dev.holdfast.state.terraform;

import dev.holdfast.state.versions.Stack;
import java.time.Duration;
import java.util.Optional;

/** Counts what happens to locks of stacks. */
public interface LockMeter {
    /** An attempt was answered; empty if it failed. */
    void acquired(Stack stack, Optional<LockAttempt> outcome, Duration took);

    /** A save renewed its lock; empty if that is not known, false if it was held no more. */
    void renewed(Stack stack, Optional<Boolean> held);

    /** A lock was given back, or was none of this ID's. */
    void released(boolean wasHeld);
}
