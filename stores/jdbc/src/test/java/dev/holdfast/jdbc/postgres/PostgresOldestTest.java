package dev.holdfast.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.jdbc.Postgres;
import dev.holdfast.testkit.RandomComparison;
import dev.holdfast.testkit.RecordStoreContract;
import dev.holdfast.testkit.fixture.StoreFixture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Execution(ExecutionMode.CONCURRENT)
@DisplayName("the oldest PostgreSQL as a store")
class PostgresOldestTest extends RecordStoreContract {
    @Override
    protected StoreFixture fixture() throws Exception {
        return new PostgresFixture(Postgres.version(Postgres.OLDEST));
    }

    @Test
    @DisplayName("it is the oldest")
    void version() throws Exception {
        assertThat(Postgres.query(Postgres.version(Postgres.OLDEST).url("postgres"), "show server_version_num"))
                .allMatch(version -> version.startsWith(Postgres.OLDEST + ""));
    }

    @ParameterizedTest
    @ValueSource(longs = {11, 12})
    @DisplayName("a random run gives what the rules give")
    void comparedWithTheRules(long seed) throws Exception {
        try (StoreFixture random = fixture()) {
            RandomComparison.run(random, seed, 150);
        }
    }
}
