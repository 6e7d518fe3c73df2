package dev.holdfast.examples;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * The application's database, which keeps the locks too: {@code DATABASE_URL}, or a file in the working directory.
 *
 * @param url {@code sqlite:file} or {@code postgresql://user:password@host:port/database}
 */
record Database(String url) {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final String DEFAULT = "sqlite:holdfast-examples.db";

    static Database fromEnvironment() {
        return new Database(Env.text("DATABASE_URL", DEFAULT));
    }

    /** A connection for the application's own tables. Holdfast has its own, and never takes part in these transactions. */
    Connection connect() throws SQLException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                return open();
            } catch (SQLException e) {
                boolean passes = "53300".equals(e.getSQLState()); // others have all the connections just now
                if (!passes || System.nanoTime() - end > 0) {
                    throw e;
                }
                LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(PAUSE.toNanos()));
            }
        }
    }

    private Connection open() throws SQLException {
        Properties properties = new Properties();
        if (url.startsWith("sqlite:")) {
            properties.setProperty("busy_timeout", "60000"); // the locks are written in between
            properties.setProperty("transaction_mode", "IMMEDIATE");
            return DriverManager.getConnection("jdbc:" + url, properties);
        }
        URI uri = URI.create(url);
        if (uri.getRawUserInfo() != null) {
            String[] user = uri.getRawUserInfo().split(":", 2);
            properties.setProperty("user", decoded(user[0]));
            if (user.length == 2) {
                properties.setProperty("password", decoded(user[1]));
            }
        }
        String port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
        String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
        return DriverManager.getConnection(
                "jdbc:postgresql://" + uri.getHost() + port + uri.getRawPath() + query, properties);
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    /** Without the URL: it may have a password in it. */
    @Override
    public String toString() {
        return url.substring(0, url.indexOf(':') + 1) + "…";
    }
}
