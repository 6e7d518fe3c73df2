package dev.holdfast.client;

import dev.holdfast.testkit.LockContract;
import dev.holdfast.testkit.fixture.StoreFixture;
import org.junit.jupiter.api.DisplayName;

@DisplayName("locks of a server")
class ServerLocksTest extends LockContract {
    @Override
    protected StoreFixture fixture() throws Exception {
        return new ServerFixture();
    }
}
