package dev.holdfast.client;

import dev.holdfast.testkit.LockContract;
import dev.holdfast.testkit.fixture.StoreFixture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
@DisplayName("locks of a server")
class ServerLocksTest extends LockContract {
    @Override
    protected StoreFixture fixture() throws Exception {
        return new ServerFixture();
    }
}
