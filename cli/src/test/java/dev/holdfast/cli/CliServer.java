package dev.holdfast.cli;

import dev.holdfast.testkit.process.JavaProgram;
import dev.holdfast.testkit.process.ServerProcess;
import dev.holdfast.testkit.servers.Ports;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;

/** {@code holdfast serve} as a process of its own. */
public final class CliServer {
    private CliServer() {}

    /** Starts one in this directory, on a port that is free. */
    public static ServerProcess start(Path directory, Map<String, String> environment, String... flags) {
        return start(Ports.free(), directory, environment, flags);
    }

    public static ServerProcess start(int port, Path directory, Map<String, String> environment, String... flags) {
        return ServerProcess.on(
                port,
                JavaProgram.of(Main.class)
                        .classes(ProgramClasses.flags())
                        .heap("128m")
                        .in(directory)
                        .with(environment)
                        .merged(),
                Stream.concat(Stream.of("serve", "--port=" + port), Stream.of(flags))
                        .toArray(String[]::new));
    }
}
