package dev.holdfast.client;

import dev.holdfast.ClientConfig;
import dev.holdfast.LockClient;
import dev.holdfast.server.HoldfastServer;
import dev.holdfast.server.ServerSetup;
import dev.holdfast.server.config.Settings;
import dev.holdfast.state.StateManager;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** State through a server. */
class ServerStatesTest extends StateManagerContract {
    private HoldfastServer server;
    private LockClient locks;
    private StateManager states;

    @BeforeEach
    void start() {
        server = HoldfastServer.start(ServerSetup.of(Settings.load(
                List.of("--port=0", "--store=memory:", "--metrics.enabled=false"), Map.of(), Path.of(""))));
        ServerConfig config = ServerConfig.of("http://127.0.0.1:" + server.port());
        locks = ServerLocks.client(config, ClientConfig.DEFAULT);
        states = ServerStates.on(locks, config, ClientConfig.DEFAULT);
    }

    @AfterEach
    void stop() {
        states.close();
        locks.close();
        server.close();
    }

    @Override
    StateManager states() {
        return states;
    }

    @Override
    LockClient locks() {
        return locks;
    }
}
