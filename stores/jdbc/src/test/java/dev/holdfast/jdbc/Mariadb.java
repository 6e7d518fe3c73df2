package dev.holdfast.jdbc;

import dev.holdfast.jdbc.connection.ConnectionSettings;
import dev.holdfast.testkit.servers.MariadbServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/** The MariaDB server of this test run, started when first needed, and short ways to look into it with plain SQL. */
public final class Mariadb {
    private static @Nullable MariadbServer running;
    private static @Nullable String whyNot;

    private Mariadb() {}

    /** The server; the test is skipped, with the reason, where it cannot run. */
    public static synchronized MariadbServer server() {
        Assumptions.assumeTrue(
                System.getProperty("os.name").equals("Linux")
                        && System.getProperty("os.arch").equals("amd64"),
                "the MariaDB server of these tests is for Linux on amd64");
        Assumptions.assumeTrue(whyNot == null, String.valueOf(whyNot));
        MariadbServer server = running;
        if (server == null) {
            server = start();
            running = server;
        }
        return server;
    }

    private static MariadbServer start() {
        try {
            MariadbServer server = MariadbServer.quick();
            Runtime.getRuntime().addShutdownHook(new Thread(server::close));
            return server;
        } catch (RuntimeException e) {
            whyNot = "the MariaDB server of these tests did not start: " + e;
            return Assumptions.abort(whyNot);
        }
    }

    /** What the store makes of a configuration, for tests that go below it. */
    public static ConnectionSettings settings(MariadbConfig config) {
        return config.settings();
    }

    /** The rows of a query, the columns of each joined by {@code |}. */
    public static List<String> query(String database, String query) throws SQLException {
        try (Connection connection = server().connect(database)) {
            return Locks.rows(connection, query);
        }
    }
}
