package dev.holdfast.jdbc;

import dev.holdfast.jdbc.mariadb.MariadbDatabase;
import dev.holdfast.jdbc.table.SqlScript;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.StoreException;
import java.util.List;
import javax.sql.DataSource;

/**
 * Locks in a MariaDB database, 10.6 or newer, or a MySQL database, 8.0.21 or newer: the application's own, beside its tables.
 *
 * <pre>
 *   namespace = default          busy        = 1
 *   name      = nightly-report   owner       = web-3-4711
 *   stamp     = -41838…          token       = 1794783243123456
 *   fence     = 1794783243123456 acquired_at = 2026-11-15 22:54:03.123456
 *   format    = 1                expires_at  = 2026-11-15 22:54:33.123456
 *   body      = {"format":1,"holds":[{"lease_id":"…","owner":"web-3-4711","mode":"exclusive",…}]}
 * </pre>
 *
 * <pre>
 *   read    select … where namespace = ? and name = ?
 *   write   one transaction: select … of what has to be judged; update … where stamp = ? and sysdate(6) &gt;= ?, or insert;
 *           the events; commit
 *   clock   select sysdate(6), in UTC
 * </pre>
 *
 * <p>The server's clock counts. Waiters in other processes look every 100 ms: these servers tell nobody of changes. The
 * store uses connections of its own, never the caller's transaction: one each for writing and reading, which stay; under load
 * two more for writing, and one for listing, which are given back after ten seconds without use.
 */
public final class MariadbStore {
    private MariadbStore() {}

    /**
     * Opens the database with this URL, {@code mariadb://user:password@host:port/database?parameters}, {@code mysql://…},
     * {@code jdbc:mariadb:…} or {@code jdbc:mysql:…}, creating the tables if they are missing. Parameters are the driver's,
     * such as {@code sslMode}.
     *
     * @throws IllegalArgumentException if the URL is malformed
     * @throws StoreException saying which database, what is wrong, and what to do
     */
    public static RecordStore open(String url, MariadbConfig config) {
        return MariadbDatabase.at(url, config.settings()).locks();
    }

    /**
     * Opens the database of this source, creating the tables if they are missing. The store keeps a few connections until
     * it is closed, and gives them back as they were.
     *
     * @throws StoreException saying what is wrong, and what to do
     */
    public static RecordStore open(DataSource source, MariadbConfig config) {
        return of(source, config).locks();
    }

    private static MariadbDatabase of(DataSource source, MariadbConfig config) {
        return new MariadbDatabase(
                source::getConnection, "the MariaDB or MySQL database of the given DataSource", config.settings());
    }

    /**
     * Takes away the tables and views, with all locks and their history; other things of the same names stay.
     *
     * @throws StoreException if they are not ours, or cannot be removed
     */
    public static void drop(String url, MariadbConfig config) {
        MariadbDatabase.at(url, config.settings()).dropLocks();
    }

    public static void drop(DataSource source, MariadbConfig config) {
        of(source, config).dropLocks();
    }

    /**
     * Makes anew what is missing of the tables, views and indexes.
     *
     * @return what was missing and what that means, a sentence each; empty if nothing was
     * @throws StoreException if what is there is not ours, or cannot be repaired
     */
    public static List<String> repair(String url, MariadbConfig config) {
        return MariadbDatabase.at(url, config.settings()).repair();
    }

    /**
     * The statements that create what is kept in the database, for those who want to read or run them. For MySQL, replace
     * the collation {@code utf8mb4_nopad_bin} by {@code utf8mb4_0900_bin}, as the store does.
     */
    public static String schemaSql() {
        return SqlScript.text("mariadb-schema.sql");
    }

    public static String dropSql() {
        return SqlScript.text("mariadb-drop.sql");
    }
}
