package dev.holdfast.s3;

import dev.holdfast.testkit.RecordStoreContract;
import dev.holdfast.testkit.fixture.StoreFixture;
import org.junit.jupiter.api.DisplayName;

@DisplayName("S3 as a store")
class S3RecordStoreTest extends RecordStoreContract {
    @Override
    protected StoreFixture fixture() {
        return S3Fixture.plain();
    }
}
