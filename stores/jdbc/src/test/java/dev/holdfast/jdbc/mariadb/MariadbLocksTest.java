package dev.holdfast.jdbc.mariadb;

import dev.holdfast.testkit.EngineContract;
import dev.holdfast.testkit.RandomComparison;
import dev.holdfast.testkit.fixture.StoreFixture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Execution(ExecutionMode.CONCURRENT)
@DisplayName("locks in MariaDB")
class MariadbLocksTest extends EngineContract {
    @Override
    protected StoreFixture fixture() throws Exception {
        return MariadbFixture.told();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    @DisplayName("a random run gives what the rules give")
    void comparedWithTheRules(long seed) throws Exception {
        try (StoreFixture random = fixture()) {
            RandomComparison.run(random, seed, 150);
        }
    }
}
