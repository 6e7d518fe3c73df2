package dev.holdfast.testkit;

import dev.holdfast.testkit.fixture.StoreFixture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;

/** The part of {@link RecordStoreContract} that is about listings, for a store that has a second way to list. */
public abstract class ListingContract {
    /** A fixture on fresh data; called for every test. */
    protected abstract StoreFixture fixture() throws Exception;

    @Nested
    @DisplayName("a listing")
    class Scans extends ScanCases {}
}
