package dev.holdfast.jdbc;

import dev.holdfast.Stores;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.StoreFactory;
import dev.holdfast.spi.StoreUnusableException;
import java.sql.DriverManager;
import java.util.List;
import java.util.Locale;

/** Opens {@code postgresql://user:password@host/database}, {@code postgres://…} and {@code jdbc:postgresql:…}. */
public final class PostgresStoreFactory implements StoreFactory {
    private static final List<String> SCHEMES = List.of("postgresql://", "postgres://", "jdbc:postgresql:");

    @Override
    public boolean accepts(String url) {
        String lower = url.toLowerCase(Locale.ROOT);
        return SCHEMES.stream().anyMatch(lower::startsWith);
    }

    @Override
    public String example() {
        return "postgresql://user:password@host/database";
    }

    @Override
    public RecordStore open(String url) {
        requireDriver(url);
        return PostgresStore.open(url, PostgresConfig.DEFAULT);
    }

    /** The driver is an optional part: without it nothing can be opened. */
    static void requireDriver(String url) {
        if (DriverManager.drivers()
                .noneMatch(driver -> driver.getClass().getName().startsWith("org.postgresql."))) {
            throw new StoreUnusableException(
                    "The JDBC driver of PostgreSQL is not on the class path, so " + Stores.masked(url)
                            + " cannot be opened; add org.postgresql:postgresql",
                    null);
        }
    }
}
