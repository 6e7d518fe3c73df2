package dev.holdfast.dynamodb;

import dev.holdfast.testkit.RecordStoreContract;
import dev.holdfast.testkit.fixture.StoreFixture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
@DisplayName("a store in DynamoDB")
class DynamoRecordStoreTest extends RecordStoreContract {
    @Override
    protected StoreFixture fixture() {
        return DynamoFixture.plain();
    }
}
