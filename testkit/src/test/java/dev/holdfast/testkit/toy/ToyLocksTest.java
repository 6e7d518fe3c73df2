package dev.holdfast.testkit.toy;

import dev.holdfast.testkit.EngineContract;
import dev.holdfast.testkit.fixture.StoreFixture;
import java.io.IOException;
import org.junit.jupiter.api.DisplayName;

@DisplayName("locks in files")
class ToyLocksTest extends EngineContract {
    @Override
    protected StoreFixture fixture() throws IOException {
        return ToyFixture.settled();
    }
}
