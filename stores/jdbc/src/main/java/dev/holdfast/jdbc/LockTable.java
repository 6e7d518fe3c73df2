package dev.holdfast.jdbc;

import dev.holdfast.Stores;
import dev.holdfast.jdbc.fence.FenceDialect;
import dev.holdfast.jdbc.mariadb.MariadbFailures;
import dev.holdfast.jdbc.postgres.PostgresFailures;
import dev.holdfast.jdbc.sqlite.SqliteFailures;
import dev.holdfast.spi.ConnectWait;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreUnusableException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A table of locks that an application has made itself, as many do before they use a lock service: a row for each lock with
 * {@code lock_name}, {@code expires_at}, and {@code process_id} or {@code pod_id}. It is only read. Times without a zone are UTC.
 */
public final class LockTable {
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*(\\.[A-Za-z_][A-Za-z0-9_]*)?");
    private static final List<String> USUAL = List.of("database_lock", "distributed_locks");
    private static final List<String> OWNERS = List.of("process_id", "pod_id", "owner", "locked_by");
    /** Nobody holds more by hand. */
    private static final int MOST = 10_000;

    private final String url;
    private final String name;
    private final Set<String> columns;

    private LockTable(String url, String name, Set<String> columns) {
        this.url = url;
        this.name = name;
        this.columns = columns;
    }

    /** A lock that is held there: its name, who holds it, and how long it has left by that database's clock. */
    public record Held(String lock, String owner, Duration left) {}

    /**
     * Looks at a table.
     *
     * @param address a store's URL, and behind a {@code #} the table if it is none of the usual ones
     * @throws IllegalArgumentException if it names no SQL database, or the name is none
     * @throws StoreException if the database cannot be reached, or has no such table
     */
    public static LockTable at(String address) {
        // Only behind the login: a password may contain the sign, and then what follows it must not be told.
        int hash = address.indexOf('#', address.lastIndexOf('@') + 1);
        String url = ConnectWait.without(hash < 0 ? address : address.substring(0, hash));
        Optional<String> named = hash < 0 ? Optional.empty() : Optional.of(address.substring(hash + 1));
        named.filter(name -> !NAME.matcher(name).matches()).ifPresent(name -> {
            throw new IllegalArgumentException("What follows the # in --from-table is not the name of a table");
        });
        Set<String> foreign = Set.copyOf(SqlSchema.of(url).hiddenViews());
        for (String name : named.map(List::of).orElse(USUAL)) {
            if (USUAL.contains(name) && !foreign.contains(name)) {
                continue; // nothing, or our own view
            }
            Optional<Set<String>> columns = columns(url, name);
            if (columns.isPresent()) {
                return checked(new LockTable(url, name, columns.get()));
            }
        }
        throw new StoreUnusableException(
                Stores.masked(url) + " has no table of locks of its own named '"
                        + named.orElse(String.join("' or '", USUAL))
                        + "'; name it after the URL: --from-table '" + Stores.masked(url) + "#my_locks'",
                null);
    }

    private static LockTable checked(LockTable table) {
        boolean fits = table.columns.contains("lock_name")
                && table.columns.contains("expires_at")
                && OWNERS.stream().anyMatch(table.columns::contains);
        if (!fits) {
            throw new StoreUnusableException(
                    "Table '" + table.name + "' of " + Stores.masked(table.url)
                            + " does not have the columns of a table of locks:" + " lock_name, expires_at and one of "
                            + String.join(", ", OWNERS),
                    null);
        }
        return table;
    }

    public String name() {
        return name;
    }

    /**
     * What is held there now: rows that have not expired, and are active where the table says so.
     *
     * @throws StoreException if it cannot be read
     */
    public List<Held> held() {
        String owner = OWNERS.stream().filter(columns::contains).findFirst().orElseThrow();
        try (Connection connection = SqlSchema.tables(url).reader();
                Statement statement = connection.createStatement()) {
            FenceDialect dialect = FenceDialect.of(connection);
            if (dialect == FenceDialect.MARIADB) {
                statement.execute("set time_zone = '+00:00'");
            }
            String active = !columns.contains("is_active")
                    ? ""
                    : dialect == FenceDialect.POSTGRESQL ? " and is_active::int = 1" : " and is_active = 1";
            String rows = "select lock_name, " + owner + " as lock_owner, " + left(dialect) + " as time_left from "
                    + name + " where expires_at is not null" + active;
            try (ResultSet row = statement.executeQuery("select lock_name, lock_owner, time_left from (" + rows
                    + ") found where time_left > 0 or time_left is null order by lock_name limit " + (MOST + 1))) {
                return held(row);
            }
        } catch (SQLException e) {
            throw failure(e);
        }
    }

    private List<Held> held(ResultSet row) throws SQLException {
        List<Held> held = new ArrayList<>();
        while (row.next()) {
            String lock = String.valueOf(row.getString(1));
            long micros = row.getLong(3);
            if (row.wasNull()) { // it may well be held
                throw new StoreUnusableException(
                        "Row '" + lock + "' of table '" + name + "' has an expires_at that is not a time;"
                                + " correct it, or delete the row if nobody holds that lock",
                        null);
            }
            if (held.size() == MOST) {
                throw new StoreUnusableException(
                        "Table '" + name + "' has more than " + MOST + " locks that are held; end some of them first",
                        null);
            }
            held.add(new Held(lock, String.valueOf(row.getString(2)), Duration.of(micros, ChronoUnit.MICROS)));
        }
        return held;
    }

    /** Microseconds until a row expires; null where that cannot be told. */
    private static String left(FenceDialect dialect) {
        return switch (dialect) {
            case POSTGRESQL ->
                "((extract(epoch from expires_at) - extract(epoch from clock_timestamp())) * 1000000)::bigint";
            case MARIADB -> "timestampdiff(microsecond, utc_timestamp(6), expires_at)";
            case SQLITE ->
                "cast(case typeof(expires_at) when 'text' then (julianday(expires_at) - julianday('now')) * 86400000000.0"
                        + " else (expires_at / case when expires_at > 100000000000 then 1000.0 else 1.0 end"
                        + " - (julianday('now') - 2440587.5) * 86400.0) * 1000000.0 end as integer)";
        };
    }

    private static Optional<Set<String>> columns(String url, String table) {
        try (Connection connection = SqlSchema.tables(url).reader();
                Statement statement = connection.createStatement();
                ResultSet none = statement.executeQuery("select * from " + table + " where 1 = 0")) {
            ResultSetMetaData about = none.getMetaData();
            Set<String> columns = new HashSet<>();
            for (int i = 1; i <= about.getColumnCount(); i++) {
                columns.add(about.getColumnLabel(i).toLowerCase(Locale.ROOT));
            }
            return Optional.of(columns);
        } catch (SQLException e) {
            boolean missing = Stream.of(FenceDialect.values()).anyMatch(dialect -> dialect.isMissingTable(e));
            if (missing) {
                return Optional.empty();
            }
            throw new LockTable(url, table, Set.of()).failure(e);
        }
    }

    private StoreException failure(SQLException e) {
        String doing = "reading table '" + name + "'";
        if (new SqliteStoreFactory().accepts(url)) {
            Path file = SqliteStoreFactory.file(url);
            return new SqliteFailures(file, SqliteConfig.shared().busyTimeout()).of(doing, e);
        }
        return new PostgresStoreFactory().accepts(url)
                ? new PostgresFailures(Stores.masked(url)).of(doing, e)
                : new MariadbFailures(Stores.masked(url)).of(doing, e);
    }
}
