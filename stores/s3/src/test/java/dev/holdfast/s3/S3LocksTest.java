package dev.holdfast.s3;

import dev.holdfast.testkit.EngineContract;
import dev.holdfast.testkit.RandomComparison;
import dev.holdfast.testkit.StoreFixture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("locks in S3")
class S3LocksTest extends EngineContract {
    @Override
    protected StoreFixture fixture() {
        return S3Fixture.settled();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    @DisplayName("a random run gives what the rules give")
    void comparedWithTheRules(long seed) {
        try (StoreFixture random = fixture()) {
            RandomComparison.run(random, seed, 150);
        }
    }
}
