package dev.holdfast.client;

import dev.holdfast.server.HoldfastServer;
import dev.holdfast.server.ServerSetup;
import dev.holdfast.server.config.Settings;
import dev.holdfast.testkit.process.JavaProgram;
import dev.holdfast.testkit.process.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The server as a program. */
final class ServerProgram {
    private ServerProgram() {}

    /** Starts one with these flags; returns when it listens. */
    static ServerProcess start(List<String> flags) {
        return ServerProcess.start(JavaProgram.of(ServerProgram.class).heap("192m"), flags.toArray(String[]::new));
    }

    /** The process: serves until it is killed, or whoever started it is gone. */
    public static void main(String[] flags) throws IOException {
        Settings settings = Settings.load(List.of(flags), Map.of(), Path.of(""));
        try (HoldfastServer server = HoldfastServer.start(ServerSetup.of(settings))) {
            ServerProcess.serve(server.port());
        }
    }
}
