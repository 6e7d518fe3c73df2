package dev.holdfast.testkit.toy;

import dev.holdfast.testkit.RecordStoreContract;
import dev.holdfast.testkit.fixture.StoreFixture;
import java.io.IOException;
import org.junit.jupiter.api.DisplayName;

@DisplayName("a store of files")
class ToyRecordStoreTest extends RecordStoreContract {
    @Override
    protected StoreFixture fixture() throws IOException {
        return ToyFixture.plain();
    }
}
