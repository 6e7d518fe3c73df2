package dev.holdfast.test;

import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.StoreUnusableException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The line of one process to the store, and what is wrong with it. Safe for any thread. */
final class Line {
    /** What callers hear of a line that is cut. */
    enum Fault {
        /** Nothing can have arrived. */
        OUTAGE,
        /** What was to be changed may have arrived. */
        UNCLEAR
    }

    private volatile @Nullable Fault fault;

    Optional<Fault> fault() {
        return Optional.ofNullable(fault);
    }

    void cut(Fault how) {
        fault = how;
    }

    void mend() {
        fault = null;
    }

    /**
     * What the engine hears. It would try again for seconds after any other failure; a test wants to see the failure without moving the
     * clock.
     */
    Optional<RuntimeException> failure() {
        return fault().map(how -> new StoreUnusableException("the test has cut the line to the store", new Cut(how)));
    }

    /** What callers hear instead. */
    static Throwable told(Throwable failure, boolean change) {
        return failure instanceof StoreUnusableException && failure.getCause() instanceof Cut cut
                ? told(cut.fault, change)
                : failure;
    }

    private static StoreException told(Fault fault, boolean change) {
        return fault == Fault.UNCLEAR && change
                ? new OutcomeUnknownException(
                        "It is not known whether the last change reached the store: the test lets answers get lost (FakeLocks.unclear)",
                        null)
                : new StoreUnavailableException(
                        "The store cannot be reached and nothing was changed: the test has an outage (FakeLocks.outage)",
                        null);
    }

    /** Marks our own failures. */
    private static final class Cut extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final Fault fault;

        Cut(Fault fault) {
            super("cut", null, false, false);
            this.fault = fault;
        }
    }
}
