package dev.holdfast.jdbc.mariadb;

import dev.holdfast.testkit.RecordStoreContract;
import dev.holdfast.testkit.fixture.StoreFixture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
@DisplayName("MariaDB as a store")
class MariadbRecordStoreTest extends RecordStoreContract {
    @Override
    protected StoreFixture fixture() throws Exception {
        return MariadbFixture.plain();
    }
}
