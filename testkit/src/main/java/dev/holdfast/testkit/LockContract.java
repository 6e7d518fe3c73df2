package dev.holdfast.testkit;

import dev.holdfast.testkit.fixture.StoreFixture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;

/**
 * What a user of locks sees, wherever they are, one sentence per test. The test of a store extends {@link EngineContract}, which
 * has more.
 */
public abstract class LockContract {
    /** A fixture on fresh data; called for every test. */
    protected abstract StoreFixture fixture() throws Exception;

    @Nested
    @DisplayName("granting")
    class Granting extends GrantCases {}

    @Nested
    @DisplayName("waiting")
    class Waiting extends QueueCases {}

    @Nested
    @DisplayName("keeping and giving back")
    class Keeping extends LeaseCases {}

    @Nested
    @DisplayName("looking and cleaning up")
    class Looking extends LookCases {}

    @Nested
    @DisplayName("working under locks")
    class Working extends ClientCases {}

    @Nested
    @DisplayName("bounds")
    class Bounds extends BoundCases {}

    @Nested
    @DisplayName("a store that fails")
    class Failing extends FailureCases {}
}
