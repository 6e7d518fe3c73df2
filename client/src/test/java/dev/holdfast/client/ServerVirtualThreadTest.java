package dev.holdfast.client;

import dev.holdfast.ClientConfig;
import dev.holdfast.LockClient;
import dev.holdfast.server.HoldfastServer;
import dev.holdfast.testkit.client.VirtualThreadContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;

@DisplayName("virtual threads and the locks of a server")
class ServerVirtualThreadTest extends VirtualThreadContract {
    private static HoldfastServer server;

    @BeforeAll
    static void start() {
        server = LocalServer.inMemory();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    protected LockClient connect(ClientConfig config) {
        return LockClient.connect(LocalServer.url(server), config);
    }

    @Override
    protected int callers() {
        return 1_000;
    }
}
