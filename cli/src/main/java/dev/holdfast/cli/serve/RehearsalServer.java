package dev.holdfast.cli.serve;

import dev.holdfast.server.HoldfastServer;
import dev.holdfast.server.ServerSetup;
import dev.holdfast.server.config.Settings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A server for commands that are only rehearsed: on a port that is free, with its files in a directory of its own. */
public final class RehearsalServer implements AutoCloseable {
    private final HoldfastServer server;

    public RehearsalServer(Path directory) {
        Settings settings = Settings.load(
                List.of("--port=0", "--host=127.0.0.1", "--data=" + directory.resolve("server")), Map.of(), directory);
        server = HoldfastServer.start(ServerSetup.of(settings).on(0, "sqlite:" + directory.resolve("served.db")));
    }

    public String url() {
        return "http://127.0.0.1:" + server.port();
    }

    @Override
    public void close() {
        server.close();
    }
}
