package dev.holdfast.jdbc.mariadb;

import dev.holdfast.jdbc.connection.ConnectionSettings;
import dev.holdfast.jdbc.connection.ConnectionSource;
import dev.holdfast.jdbc.connection.DatabaseUrl;
import dev.holdfast.spi.StoreUnusableException;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Properties;
import java.util.function.Predicate;

/** Which driver opens a URL. Two can talk to both servers; the one that is on the class path does. */
public final class MariadbDriver {
    private static final String MARIADB = "mariadb";
    private static final String MYSQL = "mysql";

    private MariadbDriver() {}

    public static ConnectionSource source(String url, ConnectionSettings settings) {
        DatabaseUrl database = parse(url, MariadbDriver::isAccepted);
        Properties properties = new Properties();
        // Both drivers count in milliseconds. A server that accepts and then says nothing must not hold up the start.
        properties.setProperty(
                "connectTimeout", Long.toString(settings.connectTimeout().toMillis()));
        properties.setProperty(
                "socketTimeout",
                Long.toString(MariadbConnections.patience(settings).toMillis()));
        properties.setProperty("tcpKeepAlive", "true");
        properties.putAll(database.properties());
        return ConnectionSource.own(() -> DriverManager.getConnection(database.jdbc(), properties));
    }

    /**
     * The URL for the driver that is there: the one the URL names if possible, else the other.
     *
     * @throws StoreUnusableException if there is neither
     */
    static DatabaseUrl parse(String url, Predicate<String> isAccepted) {
        String lower = url.toLowerCase(Locale.ROOT);
        String named = lower.startsWith("jdbc:mysql:") || lower.startsWith("mysql://") ? MYSQL : MARIADB;
        String other = named.equals(MYSQL) ? MARIADB : MYSQL;
        String driver = isAccepted.test(jdbc(named)) ? named : other;
        if (!isAccepted.test(jdbc(driver))) {
            throw new StoreUnusableException(
                    "No JDBC driver for MariaDB or MySQL is on the class path, so "
                            + DatabaseUrl.of(url, named).shown()
                            + " cannot be opened; add org.mariadb.jdbc:mariadb-java-client"
                            + (named.equals(MYSQL) ? " or com.mysql:mysql-connector-j" : ""),
                    null);
        }
        if (lower.startsWith("jdbc:")) {
            return DatabaseUrl.of("jdbc:" + driver + url.substring(url.indexOf(':', 5)), driver);
        }
        return DatabaseUrl.of(url, driver);
    }

    private static String jdbc(String driver) {
        return "jdbc:" + driver + "://localhost/x";
    }

    private static boolean isAccepted(String jdbc) {
        return DriverManager.drivers().anyMatch(driver -> accepts(driver, jdbc));
    }

    private static boolean accepts(Driver driver, String jdbc) {
        try {
            return driver.acceptsURL(jdbc);
        } catch (SQLException e) {
            return false;
        }
    }
}
