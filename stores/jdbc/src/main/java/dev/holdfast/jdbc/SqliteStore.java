package dev.holdfast.jdbc;

import dev.holdfast.jdbc.sqlite.SqliteDatabase;
import dev.holdfast.jdbc.table.SqlScript;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.StoreException;
import java.nio.file.Path;
import java.util.List;

/**
 * Locks in an SQLite file of this machine. The default store: nothing to install, one fsync per batch of writes, and
 * readable with any {@code sqlite3} shell while in use.
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
 * <p>Opened <em>exclusively</em> (a server), the process's own clock counts, going on where it stopped: after a restart a
 * lease has what was left of it at the last stored time. Otherwise the machine's <em>monotonic clock</em> counts, which is the same
 * for all processes on Linux; elsewhere the wall clock, which never goes back and is watched for steps. Not for network drives:
 * neither file locks nor shared memory work there.
 */
public final class SqliteStore {
    private SqliteStore() {}

    /**
     * Opens the file, creating it and its tables if they are missing, and its directory if that alone is missing.
     *
     * @throws StoreException saying which file, what is wrong, and what to do; nothing was changed then
     */
    public static RecordStore open(Path file, SqliteConfig config) {
        return new SqliteDatabase(file, config.settings()).locks();
    }

    /**
     * Takes away the tables and views, with all locks and their history; other things in the file stay.
     *
     * @throws StoreException if the file is in use, or what is there is not ours; nothing was changed then
     */
    public static void drop(Path file, SqliteConfig config) {
        new SqliteDatabase(file, config.settings()).dropLocks();
    }

    /**
     * Makes anew what is missing of the tables, views and indexes, with the file for itself.
     *
     * @return what was missing and what that means, a sentence each; empty if nothing was
     * @throws StoreException if the file is in use, or what is there is not ours; nothing was changed then
     */
    public static List<String> repair(Path file, SqliteConfig config) {
        return new SqliteDatabase(file, config.settings()).repair();
    }

    /** The statements that create what is kept in the file, for those who want to read or run them. */
    public static String schemaSql() {
        return SqlScript.text("sqlite-schema.sql");
    }

    public static String dropSql() {
        return SqlScript.text("sqlite-drop.sql");
    }
}
