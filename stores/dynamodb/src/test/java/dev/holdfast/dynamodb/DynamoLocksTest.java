package dev.holdfast.dynamodb;

import dev.holdfast.testkit.EngineContract;
import dev.holdfast.testkit.fixture.StoreFixture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
@DisplayName("locks in DynamoDB")
class DynamoLocksTest extends EngineContract {
    @Override
    protected StoreFixture fixture() {
        return DynamoFixture.settled();
    }
}
