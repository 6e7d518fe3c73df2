package dev.holdfast.s3;

import dev.holdfast.testkit.EngineContract;
import dev.holdfast.testkit.fixture.StoreFixture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
@DisplayName("locks in S3")
class S3LocksTest extends EngineContract {
    @Override
    protected StoreFixture fixture() {
        return S3Fixture.settled();
    }
}
