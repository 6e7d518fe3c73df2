package dev.holdfast.jdbc;

import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.StoreFactory;
import java.util.List;
import java.util.Locale;

/** Opens {@code mariadb://user:password@host/database}, {@code mysql://…}, {@code jdbc:mariadb:…} and {@code jdbc:mysql:…}. */
public final class MariadbStoreFactory implements StoreFactory {
    private static final List<String> SCHEMES = List.of("mariadb://", "mysql://", "jdbc:mariadb:", "jdbc:mysql:");

    @Override
    public boolean accepts(String url) {
        String lower = url.toLowerCase(Locale.ROOT);
        return SCHEMES.stream().anyMatch(lower::startsWith);
    }

    @Override
    public String example() {
        return "mariadb://user:password@host/database";
    }

    @Override
    public RecordStore open(String url) {
        return MariadbStore.open(url, MariadbConfig.DEFAULT);
    }
}
