package dev.holdfast.testkit;

import dev.holdfast.testkit.fixture.StoreFixture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;

/**
 * What a user of locks sees, run through the engine on a store, and what the engine makes of a store that fails in the middle
 * of a request. A store's own test extends this and brings a {@link StoreFixture}.
 */
public abstract class EngineContract extends LockContract {
    @Nested
    @DisplayName("keeping a place, between engines")
    class Places extends PlaceCases {}

    @Nested
    @DisplayName("a request that fails, hangs or leaves doubt")
    class Doubt extends DoubtCases {}
}
