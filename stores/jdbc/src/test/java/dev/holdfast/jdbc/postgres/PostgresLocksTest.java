package dev.holdfast.jdbc.postgres;

import dev.holdfast.jdbc.Postgres;
import dev.holdfast.testkit.EngineContract;
import dev.holdfast.testkit.RandomComparison;
import dev.holdfast.testkit.fixture.StoreFixture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Execution(ExecutionMode.CONCURRENT)
@DisplayName("locks in PostgreSQL")
class PostgresLocksTest extends EngineContract {
    @Override
    protected StoreFixture fixture() throws Exception {
        return new PostgresFixture(Postgres.newest());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    @DisplayName("a random run gives what the rules give")
    void comparedWithTheRules(long seed) throws Exception {
        try (StoreFixture random = fixture()) {
            RandomComparison.run(random, seed, 150);
        }
    }
}
