package dev.holdfast.testkit;

import dev.holdfast.testkit.fixture.StoreFixture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;

/**
 * What a {@link dev.holdfast.spi.RecordStore} owes, one sentence per test. A store's own test extends this and brings a
 * {@link StoreFixture}; where the real server is missing, the fixture skips with the reason.
 */
public abstract class RecordStoreContract extends ListingContract {
    @Nested
    @DisplayName("a conditional write")
    class ConditionalWrites extends WriteCases {}

    @Nested
    @DisplayName("what is written is what is read")
    class RoundTrips extends RoundTripCases {}

    @Nested
    @DisplayName("the history")
    class Events extends EventCases {}

    @Nested
    @DisplayName("clock and close")
    class ClockAndClose extends ClockAndCloseCases {}
}
