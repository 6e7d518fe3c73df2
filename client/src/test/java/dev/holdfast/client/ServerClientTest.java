package dev.holdfast.client;

import dev.holdfast.ClientConfig;
import dev.holdfast.LockClient;
import dev.holdfast.server.HoldfastServer;
import dev.holdfast.server.ServerSetup;
import dev.holdfast.server.config.Settings;
import dev.holdfast.testkit.client.ClientContract;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;

@DisplayName("clients of the locks of a server")
class ServerClientTest extends ClientContract {
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

    @Override
    protected LockClient connect(ClientConfig config) {
        return LockClient.connect("http://127.0.0.1:" + server.port(), config);
    }

    @Override
    protected int attempts() {
        return 1_000;
    }
}
