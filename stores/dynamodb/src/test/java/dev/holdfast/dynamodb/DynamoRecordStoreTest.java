package dev.holdfast.dynamodb;

import dev.holdfast.testkit.RecordStoreContract;
import dev.holdfast.testkit.fixture.StoreFixture;
import org.junit.jupiter.api.DisplayName;

@DisplayName("a store in DynamoDB")
class DynamoRecordStoreTest extends RecordStoreContract {
    @Override
    protected StoreFixture fixture() {
        return DynamoFixture.plain();
    }
}
