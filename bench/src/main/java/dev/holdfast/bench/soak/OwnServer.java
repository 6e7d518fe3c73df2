package dev.holdfast.bench.soak;

import dev.holdfast.cli.Main;
import dev.holdfast.cli.admin.TemporaryFiles;
import dev.holdfast.testkit.process.JavaProgram;
import dev.holdfast.testkit.servers.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A server in a process of its own, on an embedded store that is thrown away. It keeps as little as settings allow, so that a short run sees
 * things come and go.
 */
final class OwnServer implements AutoCloseable {
    /** The shortest there is. */
    private static final Duration RETENTION = Duration.ofMinutes(1);

    private static final Duration CLEANUP = Duration.ofSeconds(5);

    /** From when on as much goes as comes: a minute, the clean-up after it, and some. */
    static final Duration SETTLED = RETENTION.plus(CLEANUP.multipliedBy(3));

    private static final Duration START = Duration.ofSeconds(60);

    private final Path directory;
    private final Process process;
    private final int port;
    private final Thread end = new Thread(this::kill, "soak-end");

    private OwnServer(Path directory, Process process, int port) {
        this.directory = directory;
        this.process = process;
        this.port = port;
        Runtime.getRuntime().addShutdownHook(end);
    }

    static OwnServer start() throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory("holdfast-soak");
        int port = Ports.free();
        List<String> command = JavaProgram.of(Main.class)
                .withAllCompilers()
                .heap("256m")
                .words(
                        "serve",
                        "--port=" + port,
                        "--data=" + directory.resolve("data"),
                        "--logging.level=warn",
                        "--locks.retention=" + RETENTION.toSeconds() + "s",
                        "--history.retention=" + RETENTION.toSeconds() + "s",
                        "--locks.cleanup.interval=" + CLEANUP.toSeconds() + "s",
                        "--state.max-versions=20");
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("HOLDFAST_"));
        OwnServer server = new OwnServer(directory, builder.start(), port);
        try {
            server.awaitReady();
            return server;
        } catch (IOException | InterruptedException | RuntimeException e) {
            server.close();
            throw e;
        }
    }

    private void awaitReady() throws IOException, InterruptedException {
        SoakTarget asked = new SoakTarget(url(), Optional.empty());
        long limit = System.nanoTime() + START.toNanos();
        while (!asked.isReady()) {
            if (!process.isAlive() || System.nanoTime() - limit > 0) {
                throw new IOException("The server for the soak did not start. It said: "
                        + Files.readString(directory.resolve("log")));
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }

    String url() {
        return "http://127.0.0.1:" + port;
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** What it said; warnings and errors only. */
    Path log() {
        return directory.resolve("log");
    }

    /** The size of all that the store keeps, its logs included. */
    long storedBytes() throws IOException {
        try (Stream<Path> files = Files.walk(directory.resolve("data"))) {
            return files.mapToLong(OwnServer::size).sum();
        }
    }

    private static long size(Path file) {
        try {
            return Files.isRegularFile(file) ? Files.size(file) : 0;
        } catch (IOException e) {
            return 0; // gone since it was listed
        }
    }

    private void kill() {
        process.destroyForcibly();
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        try {
            if (!process.waitFor(15, TimeUnit.SECONDS)) {
                kill();
                process.waitFor(5, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            kill();
            Thread.currentThread().interrupt();
        }
        try {
            Runtime.getRuntime().removeShutdownHook(end);
        } catch (IllegalStateException e) {
            return; // this process ends already; what is temporary stays for the system to remove
        }
        TemporaryFiles.delete(directory);
    }
}
