package dev.holdfast.s3;

import dev.holdfast.testkit.RecordStoreContract;
import dev.holdfast.testkit.fixture.StoreFixture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
@DisplayName("S3 as a store")
class S3RecordStoreTest extends RecordStoreContract {
    @Override
    protected StoreFixture fixture() {
        return S3Fixture.plain();
    }
}
