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
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
@DisplayName("clients of the locks of a server")
class ServerClientTest extends ClientContract {
    /** For each test: what one leaves behind, no other waits for. */
    @AutoClose
    private final HoldfastServer server = HoldfastServer.start(ServerSetup.of(
            Settings.load(List.of("--port=0", "--store=memory:", "--metrics.enabled=false"), Map.of(), Path.of(""))));

    @Override
    protected LockClient connect(ClientConfig config) {
        return LockClient.connect("http://127.0.0.1:" + server.port(), config);
    }

    @Override
    protected int attempts() {
        return 1_000;
    }
}
