package dev.holdfast.shedlock;

import dev.holdfast.LockClient;
import dev.holdfast.server.HoldfastServer;
import dev.holdfast.server.ServerSetup;
import dev.holdfast.server.config.Settings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;

@DisplayName("ShedLock on the locks of a server")
class ServerShedLockTest extends ShedLockContract {
    private static HoldfastServer server;
    private static LockClient locks;

    @BeforeAll
    static void open() {
        server = HoldfastServer.start(ServerSetup.of(Settings.load(
                List.of("--port=0", "--store=memory:", "--metrics.enabled=false"), Map.of(), Path.of(""))));
        locks = LockClient.connect("http://127.0.0.1:" + server.port());
    }

    @AfterAll
    static void close() {
        locks.close();
        server.close();
    }

    @Override
    LockClient client() {
        return locks;
    }
}
