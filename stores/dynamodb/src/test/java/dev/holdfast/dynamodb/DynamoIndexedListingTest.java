package dev.holdfast.dynamodb;

import dev.holdfast.testkit.ListingContract;
import dev.holdfast.testkit.fixture.StoreFixture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
@DisplayName("a store in DynamoDB with an index for listings")
class DynamoIndexedListingTest extends ListingContract {
    @Override
    protected StoreFixture fixture() {
        return DynamoFixture.indexed();
    }
}
