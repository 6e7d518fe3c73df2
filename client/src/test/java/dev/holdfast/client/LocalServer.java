package dev.holdfast.client;

import dev.holdfast.server.HoldfastServer;
import dev.holdfast.server.ServerSetup;
import dev.holdfast.server.config.Settings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Servers in the process of the test, on a free port. */
final class LocalServer {
    private LocalServer() {}

    /** One whose locks are its own, and gone when it is closed. */
    static HoldfastServer inMemory(String... flags) {
        return with(
                Stream.concat(Stream.of("--store=memory:"), Stream.of(flags)).toArray(String[]::new));
    }

    static HoldfastServer with(String... flags) {
        List<String> all = Stream.concat(Stream.of("--port=0", "--metrics.enabled=false"), Stream.of(flags))
                .toList();
        return HoldfastServer.start(ServerSetup.of(Settings.load(all, Map.of(), Path.of(""))));
    }

    static String url(HoldfastServer server) {
        return "http://127.0.0.1:" + server.port();
    }
}
