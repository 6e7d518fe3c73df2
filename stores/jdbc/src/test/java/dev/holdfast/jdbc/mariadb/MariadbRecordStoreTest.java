package dev.holdfast.jdbc.mariadb;

import dev.holdfast.testkit.RecordStoreContract;
import dev.holdfast.testkit.StoreFixture;
import org.junit.jupiter.api.DisplayName;

@DisplayName("MariaDB as a store")
class MariadbRecordStoreTest extends RecordStoreContract {
    @Override
    protected StoreFixture fixture() throws Exception {
        return MariadbFixture.plain();
    }
}
