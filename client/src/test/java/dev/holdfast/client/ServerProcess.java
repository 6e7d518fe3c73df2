package dev.holdfast.client;

import dev.holdfast.server.HoldfastServer;
import dev.holdfast.server.ServerSetup;
import dev.holdfast.server.config.Settings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A server in a process of its own, that can be killed. */
final class ServerProcess implements AutoCloseable {
    private static final String LISTENING = "listening ";

    private final Process process;
    private final int port;

    private ServerProcess(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** Starts one with these flags; returns when it listens. */
    static ServerProcess start(List<String> flags) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xmx192m",
                "-cp",
                // The build may start tests with a jar that only names the class path.
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                ServerProcess.class.getName()));
        command.addAll(flags);
        Path complaints = Files.createTempFile("holdfast-server", ".log");
        complaints.toFile().deleteOnExit();
        Process process =
                new ProcessBuilder(command).redirectError(complaints.toFile()).start();
        BufferedReader said =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        for (String line = said.readLine(); line != null; line = said.readLine()) {
            if (line.startsWith(LISTENING)) {
                return new ServerProcess(process, Integer.parseInt(line.substring(LISTENING.length())));
            }
        }
        throw new IllegalStateException("the server ended before it listened: " + Files.readString(complaints));
    }

    int port() {
        return port;
    }

    String url() {
        return "http://127.0.0.1:" + port;
    }

    /** As {@code kill -9}: nothing is said, nothing is written any more. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        if (!process.waitFor(20, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the server cannot be killed");
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** The process: serves until it is killed, or whoever started it is gone. */
    public static void main(String[] flags) throws IOException {
        Settings settings = Settings.load(List.of(flags), Map.of(), Path.of(""));
        try (HoldfastServer server = HoldfastServer.start(ServerSetup.of(settings))) {
            System.out.println(LISTENING + server.port());
            System.in.read(); // ends when the starter ends
        }
    }
}
