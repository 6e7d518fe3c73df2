package dev.holdfast.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A server in a process of its own, that can be killed. */
final class ReplicaProcess implements AutoCloseable {
    private static final String LISTENING = "listening ";
    /** Short, so that those who waited at a replica that was killed are soon passed over. */
    private static final Duration KEPT = Duration.ofSeconds(4);

    private final Process process;
    private final Client client;

    private ReplicaProcess(Process process, Client client) {
        this.process = process;
        this.client = client;
    }

    /** Starts one on this store; returns when it listens. */
    static ReplicaProcess start(String store) throws IOException {
        return start(store, 0);
    }

    /** The same on a certain port. */
    static ReplicaProcess start(String store, int port) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx128m",
                        "-cp",
                        classPath(),
                        ReplicaProcess.class.getName(),
                        store,
                        Integer.toString(port))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        BufferedReader said =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        for (String line = said.readLine(); line != null; line = said.readLine()) {
            if (line.startsWith(LISTENING)) {
                return new ReplicaProcess(process, Client.at(Integer.parseInt(line.substring(LISTENING.length()))));
            }
        }
        throw new IllegalStateException("the replica ended before it listened");
    }

    /** The build may start tests with a jar that only names the class path. */
    private static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    Client client() {
        return client;
    }

    /** As {@code kill -9}: nothing is said, nothing is written any more. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        if (!process.waitFor(20, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the replica cannot be killed");
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** The process: serves the store it is given until it is killed, or whoever started it is gone. */
    public static void main(String[] args) throws IOException {
        try (TestServer server = new Setup()
                .store(args[0])
                .port(Integer.parseInt(args[1]))
                .keepPlace(KEPT)
                .start()) {
            System.out.println(LISTENING + server.server.port());
            System.in.read(); // ends when the starter ends
        }
    }
}
