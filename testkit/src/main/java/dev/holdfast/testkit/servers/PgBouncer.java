package dev.holdfast.testkit.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A PgBouncer in front of a PostgreSQL server of this machine, in transaction mode: a connection of the server's is lent to a
 * client for one transaction. For every database, by the name it has on the server. Gone when it is closed.
 */
public final class PgBouncer implements AutoCloseable {
    private static final List<Path> PLACES = List.of(Path.of("/usr/sbin/pgbouncer"), Path.of("/usr/bin/pgbouncer"));
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Path directory;
    private final int port;
    private Process process;

    private PgBouncer(Path directory, int port) throws IOException {
        this.directory = directory;
        this.port = port;
        this.process = run();
    }

    /** The program, if it is installed. */
    public static Optional<Path> program() {
        return PLACES.stream().filter(Files::isExecutable).findFirst();
    }

    /** Starts one with so many connections to each database, and waits until it answers. */
    public static PgBouncer start(PostgresServer server, int connections) {
        try {
            Path directory = Files.createTempDirectory("pgbouncer");
            // It refuses to run as root, and whoever it runs as has to read its settings.
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
            int port = Ports.free();
            Files.writeString(
                    directory.resolve("pgbouncer.ini"),
                    String.join(
                            "\n",
                            "[databases]",
                            "* = host=127.0.0.1 port=" + server.port() + " user=postgres",
                            "[pgbouncer]",
                            "listen_addr = 127.0.0.1",
                            "listen_port = " + port,
                            "unix_socket_dir =",
                            "auth_type = any",
                            "pool_mode = transaction",
                            "default_pool_size = " + connections,
                            "max_client_conn = 500",
                            "ignore_startup_parameters = extra_float_digits",
                            ""));
            return new PgBouncer(directory, port);
        } catch (IOException e) {
            throw new UncheckedIOException("PgBouncer did not start: " + e.getMessage(), e);
        }
    }

    private Process run() throws IOException {
        List<String> command = new ArrayList<>();
        if ("root".equals(System.getProperty("user.name"))) {
            command.addAll(List.of("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"));
        }
        Path program = program().orElseThrow(() -> new IOException("pgbouncer is not installed"));
        command.addAll(
                List.of(program.toString(), directory.resolve("pgbouncer.ini").toString()));
        Process started = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log().toFile())
                .start();
        awaitAnswer(started);
        return started;
    }

    private Path log() {
        return directory.resolve("pgbouncer.log");
    }

    private void awaitAnswer(Process started) throws IOException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!answers()) {
            if (!started.isAlive() || System.nanoTime() - end > 0) {
                started.destroyForcibly();
                throw new IOException("no answer; it says: " + Files.readString(log()));
            }
            try {
                TimeUnit.MILLISECONDS.sleep(5);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
        }
    }

    private boolean answers() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    public int port() {
        return port;
    }

    /** A URL for the administrator and a database, through it. */
    public String url(String database) {
        return PostgresServer.url(port, database);
    }

    /** Ends it at once, with all connections through it. */
    public void kill() {
        process.destroyForcibly();
        process.onExit().join();
    }

    /** Starts it again, on the same port. */
    public void restart() {
        kill();
        try {
            process = run();
        } catch (IOException e) {
            throw new UncheckedIOException("PgBouncer did not start again: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        kill();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
            Files.delete(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
