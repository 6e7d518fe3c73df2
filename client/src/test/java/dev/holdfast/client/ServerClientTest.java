package dev.holdfast.client;

import dev.holdfast.ClientConfig;
import dev.holdfast.LockClient;
import dev.holdfast.server.HoldfastServer;
import dev.holdfast.testkit.client.ClientContract;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;

@DisplayName("clients of the locks of a server")
class ServerClientTest extends ClientContract {
    /** For one case: some leave their lock held, and the next would wait until that lease ends. */
    private final HoldfastServer server = LocalServer.inMemory();

    @AfterEach
    @Override
    protected void closeClients() {
        super.closeClients();
        server.close();
    }

    @Override
    protected LockClient connect(ClientConfig config) {
        return LockClient.connect(LocalServer.url(server), config);
    }

    @Override
    protected int attempts() {
        return 1_000;
    }
}
