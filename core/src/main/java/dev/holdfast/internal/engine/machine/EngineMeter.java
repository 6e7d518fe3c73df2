package dev.holdfast.internal.engine.machine;

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

    /** These events happened by a write of this engine, and are stored. */
    default void happened(List<LockEvent> events) {}
}
