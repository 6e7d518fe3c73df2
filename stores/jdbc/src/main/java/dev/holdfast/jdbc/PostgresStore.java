package dev.holdfast.jdbc;

import dev.holdfast.jdbc.postgres.PostgresDatabase;
import dev.holdfast.jdbc.table.SqlScript;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.StoreException;
import java.util.List;
import javax.sql.DataSource;

/**
 * Locks in a PostgreSQL database, 14 or newer: the application's own, beside its tables.
 *
 * <pre>
 *   namespace = default          busy        = 1
 *   name      = nightly-report   owner       = web-3-4711
 *   stamp     = -41838…          token       = 1794783243123456
 *   fence     = 1794783243123456 acquired_at = 2026-11-15 22:54:03.123456+00
 *   format    = 1                expires_at  = 2026-11-15 22:54:33.123456+00
 *   body      = {"format":1,"holds":[{"lease_id":"…","owner":"web-3-4711","mode":"exclusive",…}]}
 * </pre>
 *
 * <pre>
 *   read    select … where namespace = ? and name = ?
 *   write   one record: insert … on conflict … where idle, or update … where stamp = ?
 *           several: the same over unnest(…), in key order; events and notifications in the same statement
 *   clock   select clock_timestamp()
 * </pre>
 *
 * <p>The server's clock counts. Waiters in other processes are woken with LISTEN/NOTIFY; behind a pooler in transaction mode
 * they poll. The store uses connections of its own, never the caller's transaction: one for reading and writing and one that listens,
 * which stay; under load three more for reading and writing and one for listing, which are given back after ten seconds without use.
 */
public final class PostgresStore {
    private PostgresStore() {}

    /**
     * Opens the database with this URL, {@code postgresql://user:password@host:port/database?parameters} or
     * {@code jdbc:postgresql:…}, creating the tables if they are missing. Parameters are the driver's, such as
     * {@code sslmode} and {@code currentSchema}.
     *
     * @throws IllegalArgumentException if the URL is malformed
     * @throws StoreException saying which database, what is wrong, and what to do; nothing was changed then
     */
    public static RecordStore open(String url, PostgresConfig config) {
        return PostgresDatabase.at(url, config.settings()).locks();
    }

    /**
     * Opens the database of this source, creating the tables if they are missing. The store keeps a few connections until
     * it is closed, and gives them back as they were.
     *
     * @throws StoreException saying what is wrong, and what to do; nothing was changed then
     */
    public static RecordStore open(DataSource source, PostgresConfig config) {
        return of(source, config).locks();
    }

    private static PostgresDatabase of(DataSource source, PostgresConfig config) {
        return new PostgresDatabase(
                source::getConnection, "the PostgreSQL database of the given DataSource", config.settings());
    }

    /**
     * Takes away the tables and views, with all locks and their history; other things of the same names stay.
     *
     * @throws StoreException if they are not ours, or cannot be removed; nothing was changed then
     */
    public static void drop(String url, PostgresConfig config) {
        PostgresDatabase.at(url, config.settings()).dropLocks();
    }

    public static void drop(DataSource source, PostgresConfig config) {
        of(source, config).dropLocks();
    }

    /**
     * Makes anew what is missing of the tables, views and indexes.
     *
     * @return what was missing and what that means, a sentence each; empty if nothing was
     * @throws StoreException if what is there is not ours, or cannot be repaired
     */
    public static List<String> repair(String url, PostgresConfig config) {
        return PostgresDatabase.at(url, config.settings()).repair();
    }

    /** The statements that create what is kept in the database, for those who want to read or run them. */
    public static String schemaSql() {
        return SqlScript.text("postgresql-schema.sql");
    }

    public static String dropSql() {
        return SqlScript.text("postgresql-drop.sql");
    }
}
