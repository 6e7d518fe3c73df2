package dev.holdfast.cli.guard;

import dev.holdfast.testkit.servers.PostgresServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * A real PostgreSQL, and beside it a second service on the same machine, that a script stops and starts. Files tell the script
 * to wait, or to kill the server that runs it, before or after it acts.
 */
final class GuardedDatabase implements AutoCloseable {
    /** Longer than a JVM or a PostgreSQL takes on a crowded machine. */
    private static final long LIMIT_SECONDS = 150;

    private final PostgresServer postgres;
    private final Path directory;
    private final Path script;

    private GuardedDatabase(PostgresServer postgres, Path directory, Path script) {
        this.postgres = postgres;
        this.directory = directory;
        this.script = script;
    }

    static GuardedDatabase start(Path directory) throws Exception {
        PostgresServer postgres = PostgresServer.builder().quick().start();
        try (Connection connection = postgres.connect("postgres");
                Statement statement = connection.createStatement();
                ResultSet shown = statement.executeQuery("show data_directory")) {
            shown.next();
            Path data = Path.of(shown.getString(1));
            Path script = directory.resolve("database");
            Files.writeString(script, script(directory, binaries(data), data));
            Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
            GuardedDatabase database = new GuardedDatabase(postgres, directory, script);
            database.run("start"); // the second service too
            return database;
        }
    }

    private static Path binaries(Path data) throws IOException {
        long pid = Long.parseLong(
                Files.readAllLines(data.resolve("postmaster.pid")).get(0));
        // In a name space of its own it may see other numbers: the file it runs is asked by the one we see.
        String program = ProcessHandle.allProcesses()
                .filter(process -> process.info().arguments().stream()
                        .flatMap(Arrays::stream)
                        .anyMatch(word -> word.equals(data.toString())))
                .flatMap(process -> process.info().command().stream())
                .filter(command -> command.endsWith("/postgres"))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no process runs " + data + ", not " + pid));
        return Path.of(program).getParent();
    }

    private static String script(Path directory, Path bin, Path data) {
        return String.join(
                "\n",
                "#!/bin/sh",
                "# database stop|start|status, as a machine with two services would be stopped and started",
                "cd '" + directory + "' || exit 1",
                "pg() { if [ \"$(id -u)\" = 0 ]; then unshare -U '" + bin + "/pg_ctl' -D '" + data + "' \"$@\"; else '"
                        + bin + "/pg_ctl' -D '" + data + "' \"$@\"; fi; }",
                "crash() { if [ -e \"crash-$1\" ]; then rm \"crash-$1\"; kill -9 $PPID; exit 1; fi; }",
                "case $1 in",
                "status)",
                "    pg status >/dev/null && echo running || echo stopped ;;",
                "stop)",
                "    echo \"$HOLDFAST_FENCING_TOKEN\" >> stops",
                "    crash before-stop",
                "    while [ -e hold-stop ]; do sleep 0.05; done",
                "    pg stop -m fast -w >/dev/null",
                "    [ -e second ] && kill -9 \"$(cat second)\" && rm second",
                "    crash after-stop ;;",
                "start)",
                "    crash before-start",
                "    pg status >/dev/null || pg restart -w -l /dev/null >/dev/null 2>&1 || exit 1",
                "    if ! [ -e second ]; then sleep 100000 >/dev/null 2>&1 & echo $! > second; fi",
                "    crash after-start ;;",
                "esac",
                "exit 0",
                "");
    }

    private void run(String what) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(script.toString(), what)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new IllegalStateException("the database does not " + what);
        }
    }

    /** Where apps reach it. */
    String host() {
        return "127.0.0.1:" + postgres.port();
    }

    Path script() {
        return script;
    }

    /** The next stop or start kills the server that runs it, at this step: {@code before-stop}, {@code after-stop} and so on. */
    void crash(String step) throws IOException {
        Files.createFile(directory.resolve("crash-" + step));
    }

    boolean willCrash(String step) {
        return Files.exists(directory.resolve("crash-" + step));
    }

    /** Stops wait in the middle until they are released. */
    void hold() throws IOException {
        Files.createFile(directory.resolve("hold-stop"));
    }

    void release() throws IOException {
        Files.delete(directory.resolve("hold-stop"));
    }

    /** How often it was told to stop. */
    int stops() throws IOException {
        Path stops = directory.resolve("stops");
        return Files.exists(stops) ? Files.readAllLines(stops).size() : 0;
    }

    /** Whether a client can work with it. */
    boolean serves() {
        try (Connection connection = postgres.connect("postgres");
                Statement statement = connection.createStatement()) {
            return statement.execute("select 1");
        } catch (SQLException e) {
            return false;
        }
    }

    /** Whether nobody listens at its port. */
    boolean isClosed() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), postgres.port())) {
            return !socket.isConnected();
        } catch (IOException e) {
            return true;
        }
    }

    /** Whether the second service runs. */
    boolean secondRuns() {
        try {
            Path file = directory.resolve("second");
            return Files.exists(file)
                    && ProcessHandle.of(Long.parseLong(Files.readString(file).strip()))
                            .map(ProcessHandle::isAlive)
                            .orElse(false);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            Files.deleteIfExists(directory.resolve("hold-stop"));
            run("stop"); // the second service, which nobody else ends
            run("start");
            Path second = directory.resolve("second");
            ProcessHandle.of(Long.parseLong(Files.readString(second).strip()))
                    .ifPresent(ProcessHandle::destroyForcibly);
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        } finally {
            postgres.close();
        }
    }
}
