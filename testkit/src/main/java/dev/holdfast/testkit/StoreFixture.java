package dev.holdfast.testkit;

import dev.holdfast.LockService;
import dev.holdfast.engine.EngineConfig;
import dev.holdfast.engine.Machine;
import dev.holdfast.spi.RecordStore;
import java.time.Duration;
import java.util.Optional;

/**
 * What a store brings to be tested: fresh data, clients on it, and a way to let time pass. Made anew for every test and
 * closed after it.
 */
public interface StoreFixture extends AutoCloseable {
    /** A new client on the fixture's data, as another process would have; at first there is no data. */
    RecordStore open();

    /** A new machine for one engine, living in the same time as the store. */
    Machine machine();

    /** Lets this time pass for the store and the machines. With a real server it really passes. */
    void advance(Duration time);

    /** Whether days pass as quickly as seconds, so that what takes so long can be tested. */
    default boolean skipsTime() {
        return false;
    }

    /** Whether a client refuses requests after it was closed; not so where all clients are one object. */
    default boolean endsOnClose() {
        return true;
    }

    /** Whether an idle record is replaced in one step; a store may refuse instead, and then tells the record. */
    default boolean replacesIdle() {
        return true;
    }

    /** The locks as one more process gets at them, where that is not an engine of its own on {@link #open()}. */
    default Optional<Joined> join(String owner, EngineConfig config) {
        return Optional.empty();
    }

    /**
     * A process without an engine.
     *
     * @param locks what it uses; closed by the test
     * @param line to where they are
     */
    record Joined(LockService locks, Line line) {}

    /** The line to a real server, where the fixture can cut it. */
    default Optional<Line> line() {
        return Optional.empty();
    }

    /** Gives back what the fixture took. */
    @Override
    void close();

    /** A line that can be cut. */
    interface Line {
        /** Nothing passes any more. */
        void cut();

        /** It works again. */
        void heal();
    }
}
