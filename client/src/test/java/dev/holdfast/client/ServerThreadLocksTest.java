package dev.holdfast.client;

import dev.holdfast.ClientConfig;
import dev.holdfast.LockClient;
import dev.holdfast.server.HoldfastServer;
import dev.holdfast.testkit.concurrent.LeaderElectionContract;
import dev.holdfast.testkit.concurrent.ThreadLocksContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;

@DisplayName("through a server")
class ServerThreadLocksTest {
    private static HoldfastServer server;

    @BeforeAll
    static void start() {
        server = LocalServer.inMemory();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static LockClient connect(ClientConfig config) {
        return LockClient.connect(LocalServer.url(server), config);
    }

    @Nested
    @DisplayName("locks of threads")
    class Threads extends ThreadLocksContract {
        @Override
        protected LockClient connect(ClientConfig config) {
            return ServerThreadLocksTest.connect(config);
        }
    }

    @Nested
    @DisplayName("leaders")
    class Leaders extends LeaderElectionContract {
        @Override
        protected LockClient connect(ClientConfig config) {
            return ServerThreadLocksTest.connect(config);
        }
    }
}
