package dev.holdfast.jdbc;

import dev.holdfast.jdbc.connection.ConnectionSettings;
import dev.holdfast.jdbc.postgres.PostgresDatabase;
import dev.holdfast.testkit.servers.PostgresServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Assumptions;

/** The PostgreSQL servers of this test run: each version is started once, when first needed. */
public final class Postgres {
    private static final Map<Integer, PostgresServer> RUNNING = new ConcurrentHashMap<>();

    /** The version on the class path. */
    public static final int NEWEST = 18;

    public static final int OLDEST = 14;

    private Postgres() {}

    public static PostgresServer newest() {
        return version(NEWEST);
    }

    public static PostgresServer version(int version) {
        Assumptions.assumeTrue(
                System.getProperty("os.name").equals("Linux")
                        && System.getProperty("os.arch").equals("amd64"),
                "the PostgreSQL server of these tests is for Linux on amd64");
        return RUNNING.computeIfAbsent(version, Postgres::start);
    }

    /** What the store makes of a configuration, for tests that go below it. */
    public static ConnectionSettings settings(PostgresConfig config) {
        return config.settings();
    }

    /** A connection of somebody else. */
    public static Connection connect(String url) throws SQLException {
        return PostgresDatabase.source(url, settings(PostgresConfig.DEFAULT)).getConnection();
    }

    public static void sql(String url, String... statements) throws SQLException {
        try (Connection connection = connect(url);
                Statement statement = connection.createStatement()) {
            for (String one : statements) {
                statement.execute(one);
            }
        }
    }

    /** The rows of a query, the columns of each joined by {@code |}. */
    public static List<String> query(String url, String query) throws SQLException {
        try (Connection connection = connect(url)) {
            return Locks.rows(connection, query);
        }
    }

    private static PostgresServer start(int version) {
        PostgresServer.Builder builder = PostgresServer.builder().quick();
        if (version != NEWEST) {
            Path jar = Path.of(System.getProperty("servers", "target/servers"), "postgresql-" + version + ".jar");
            Assumptions.assumeTrue(Files.exists(jar), "PostgreSQL " + version + " was not fetched to " + jar);
            builder.binaries(jar);
        }
        PostgresServer server = builder.start();
        Runtime.getRuntime().addShutdownHook(new Thread(server::close));
        return server;
    }
}
