package dev.holdfast.spring;

import dev.holdfast.ClientConfig;
import dev.holdfast.LockClient;
import dev.holdfast.jdbc.MariadbConfig;
import dev.holdfast.jdbc.MariadbStore;
import dev.holdfast.jdbc.PostgresConfig;
import dev.holdfast.jdbc.PostgresStore;
import dev.holdfast.spi.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.util.ClassUtils;

/** Locks in the database of a {@link DataSource}. */
final class DataSourceLocks {
    private static final boolean SPRING_JDBC = ClassUtils.isPresent(
            "org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy",
            DataSourceLocks.class.getClassLoader());

    private DataSourceLocks() {}

    /**
     * Connects to it.
     *
     * @throws HoldfastStartException if it is a database that cannot keep locks, or cannot be used
     */
    static LockClient connect(DataSource given, ClientConfig config) {
        DataSource source = SPRING_JDBC ? Proxies.behind(given) : given;
        Database database = Database.of(source);
        try {
            return open(source, database, config);
        } catch (StoreException e) {
            throw unusable(e.getMessage(), e);
        }
    }

    private static HoldfastStartException unusable(@Nullable String why, Exception cause) {
        return new HoldfastStartException(
                "Locks cannot be kept in the database of the DataSource: " + why,
                "Start the database, correct the DataSource, or set holdfast.url to another place for the locks",
                cause);
    }

    private static LockClient open(DataSource source, Database database, ClientConfig config) {
        return switch (database.product()) {
            case "PostgreSQL" -> LockClient.on(PostgresStore.open(source, PostgresConfig.DEFAULT), config);
            case "MariaDB", "MySQL" -> LockClient.on(MariadbStore.open(source, MariadbConfig.DEFAULT), config);
            case "SQLite" -> LockClient.connect(withoutParameters(database.url()), config); // connections of its own
            default ->
                throw new HoldfastStartException(
                        "The database of the DataSource is " + database.product()
                                + ", and Holdfast keeps locks in PostgreSQL, MariaDB, MySQL and SQLite",
                        "Set holdfast.url to where the locks are, such as postgresql://user:password@host/database or"
                                + " https://locks.example.com; memory: is enough for tests");
        };
    }

    /** The driver has parameters that the store does not know, and needs none of them. */
    private static String withoutParameters(String url) {
        int question = url.indexOf('?');
        return question < 0 ? url : url.substring(0, question);
    }

    private record Database(String product, String url) {
        static Database of(DataSource source) {
            try (Connection connection = source.getConnection()) {
                return new Database(
                        connection.getMetaData().getDatabaseProductName(),
                        connection.getMetaData().getURL());
            } catch (SQLException e) {
                throw unusable("it gives no connection: " + e.getMessage(), e);
            }
        }
    }

    /** Its own class: without spring-jdbc it is never loaded. */
    private static final class Proxies {
        /** Locks must not take part in the transaction of whoever asks for one. */
        static DataSource behind(DataSource source) {
            return source instanceof TransactionAwareDataSourceProxy proxy && proxy.getTargetDataSource() != null
                    ? behind(proxy.getTargetDataSource())
                    : source;
        }
    }
}
