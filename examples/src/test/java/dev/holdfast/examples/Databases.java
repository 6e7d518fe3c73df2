package dev.holdfast.examples;

import dev.holdfast.testkit.servers.PostgresServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;

/** The databases the examples are tested on. */
enum Databases {
    SQLITE {
        @Override
        Database fresh(Path directory) {
            return new Database("sqlite:" + directory.resolve("app.db"));
        }
    },
    POSTGRESQL {
        @Override
        Database fresh(Path directory) {
            Assumptions.assumeTrue(
                    System.getProperty("os.name").equals("Linux")
                            && System.getProperty("os.arch").equals("amd64"),
                    "the PostgreSQL server of these tests is for Linux on amd64");
            return new Database(postgres().freshSchema());
        }
    };

    private static Optional<PostgresServer> server = Optional.empty();

    /** An empty one. */
    abstract Database fresh(Path directory);

    /** Started once, when first needed. */
    private static synchronized PostgresServer postgres() {
        if (server.isEmpty()) {
            PostgresServer started = PostgresServer.builder().quick().start();
            Runtime.getRuntime().addShutdownHook(new Thread(started::close));
            server = Optional.of(started);
        }
        return server.get();
    }

    /** The rows, their columns separated by a blank. */
    static List<String> rows(Database database, String sql) {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(sql)) {
            List<String> rows = new ArrayList<>();
            while (found.next()) {
                List<String> columns = new ArrayList<>();
                for (int i = 1; i <= found.getMetaData().getColumnCount(); i++) {
                    columns.add(found.getString(i));
                }
                rows.add(String.join(" ", columns));
            }
            return rows;
        } catch (SQLException e) {
            throw new AssertionError(sql + ": " + e.getMessage(), e);
        }
    }
}
