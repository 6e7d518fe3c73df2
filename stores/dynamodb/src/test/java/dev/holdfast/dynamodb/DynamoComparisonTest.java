package dev.holdfast.dynamodb;

import dev.holdfast.testkit.RandomComparison;
import dev.holdfast.testkit.fixture.StoreFixture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Apart from the contract, so that both run at once. */
@Execution(ExecutionMode.CONCURRENT)
@DisplayName("locks in DynamoDB, compared with the rules")
class DynamoComparisonTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    @DisplayName("a random run gives what the rules give")
    void comparedWithTheRules(long seed) {
        try (StoreFixture random = DynamoFixture.settled()) {
            RandomComparison.run(random, seed, 150);
        }
    }
}
