package dev.holdfast.cli;

import dev.holdfast.server.HoldfastServer;
import dev.holdfast.server.ServerSetup;
import dev.holdfast.server.config.Settings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What {@code holdfast serve} starts, in this process: for tests in which it is only the other side. */
public final class LocalServer implements AutoCloseable {
    private final HoldfastServer server;

    private LocalServer(HoldfastServer server) {
        this.server = server;
    }

    /** Starts one with the files and settings of this directory, on a port that is free. */
    public static LocalServer start(Path directory, String... flags) {
        Path data = directory.resolve("holdfast-data");
        try {
            Files.createDirectories(data);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<String> all = new ArrayList<>(List.of("--port=0", "--data=" + data));
        all.addAll(List.of(flags));
        Settings settings = Settings.load(all, Map.of(), directory);
        HoldfastServer server = HoldfastServer.start(ServerSetup.of(settings));
        server.followSettings(settings, () -> Settings.load(all, Map.of(), directory));
        return new LocalServer(server);
    }

    public String url() {
        return "http://127.0.0.1:" + server.port();
    }

    @Override
    public void close() {
        server.close();
    }
}
