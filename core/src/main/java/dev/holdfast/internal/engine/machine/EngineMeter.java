package dev.holdfast.internal.engine.machine;

import dev.holdfast.model.Cause;
import dev.holdfast.model.LockEvent;
import dev.holdfast.model.RecordKey;
import java.time.Duration;
import java.util.List;

/**
 * Told what an engine does, for metrics. Called on the engine's threads, often: an implementation must be quick, must not
 * block, and must not throw.
 */
public interface EngineMeter {
    /** Hears nothing. */
    EngineMeter NONE = new EngineMeter() {};

    /** Kinds of requests to the store. */
    enum Operation {
        /** One record was asked for. */
        READ,
        /** A batch of writes. */
        WRITE,
        /** A page of records was asked for. */
        SCAN,
        /** Past events were asked for. */
        EVENTS
    }

    /**
     * A request to the store ended.
     *
     * @param operation its kind
     * @param rows how many records it wrote; 1 for the other kinds
     * @param took from the call to its answer
     * @param failed whether the store failed; a refused condition is an answer, not a failure
     */
    default void stored(Operation operation, int rows, Duration took, boolean failed) {}

    /** Another writer was faster, or the store failed: the commands for this record are tried again. */
    default void retried(RecordKey key) {}

    /** From how many nanoseconds on a command of a caller is {@link #slow}; asked when one was answered. */
    default long slowNanos() {
        return Long.MAX_VALUE;
    }

    /** A command of a caller took at least as long as {@link #slowNanos()}. */
    default void slow(SlowCommand command) {}

    /**
     * A command that took long. The time in which a caller waits for its turn in the queue of a lock does not count.
     *
     * @param key the lock
     * @param operation what was asked, such as {@code acquire}
     * @param cause who asked, in which request
     * @param took from the call to its answer
     * @param inStore how much of that the store had it; the rest it waited for other commands, threads and pauses
     * @param failed whether it was answered with a failure
     */
    record SlowCommand(RecordKey key, String operation, Cause cause, Duration took, Duration inStore, boolean failed) {}

    /** These events happened by a write of this engine, and are stored. */
    default void happened(List<LockEvent> events) {}
}
