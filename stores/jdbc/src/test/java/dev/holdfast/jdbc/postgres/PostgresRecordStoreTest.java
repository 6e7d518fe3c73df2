package dev.holdfast.jdbc.postgres;

import dev.holdfast.jdbc.Postgres;
import dev.holdfast.testkit.RecordStoreContract;
import dev.holdfast.testkit.fixture.StoreFixture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
@DisplayName("PostgreSQL as a store")
class PostgresRecordStoreTest extends RecordStoreContract {
    @Override
    protected StoreFixture fixture() throws Exception {
        return new PostgresFixture(Postgres.newest());
    }
}
