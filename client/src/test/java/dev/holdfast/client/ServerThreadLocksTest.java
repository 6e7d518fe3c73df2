package dev.holdfast.client;

import dev.holdfast.ClientConfig;
import dev.holdfast.LockClient;
import dev.holdfast.server.HoldfastServer;
import dev.holdfast.server.ServerSetup;
import dev.holdfast.server.config.Settings;
import dev.holdfast.testkit.concurrent.LeaderElectionContract;
import dev.holdfast.testkit.concurrent.ThreadLocksContract;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;

@DisplayName("through a server")
class ServerThreadLocksTest {
    private static HoldfastServer server;

    @BeforeAll
    static void start() {
        server = HoldfastServer.start(ServerSetup.of(Settings.load(
                List.of("--port=0", "--store=memory:", "--metrics.enabled=false"), Map.of(), Path.of(""))));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static LockClient connect(ClientConfig config) {
        return LockClient.connect("http://127.0.0.1:" + server.port(), config);
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
