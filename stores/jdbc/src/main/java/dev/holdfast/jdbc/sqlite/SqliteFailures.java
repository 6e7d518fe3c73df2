package dev.holdfast.jdbc.sqlite;

import dev.holdfast.jdbc.connection.SqlFailures;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.StoreUnusableException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;

/** What SQLite's errors mean, by their primary result code, and what to do about each. */
public record SqliteFailures(Path file, Duration busyTimeout) implements SqlFailures {
    static final int ERROR = 1;
    private static final int PERM = 3;
    static final int BUSY = 5;
    private static final int LOCKED = 6;
    private static final int READONLY = 8;
    private static final int CORRUPT = 11;
    private static final int FULL = 13;
    private static final int CANTOPEN = 14;
    private static final int CONSTRAINT = 19;
    private static final int NOTADB = 26;

    @Override
    public String place() {
        return "'" + file + "'";
    }

    @Override
    public String remedy() {
        return "another process may be writing to the file (find it with: fuser -v " + file + "), or its disk is slow";
    }

    /** The exception for an error after which nothing was changed. */
    @Override
    public StoreException of(String doing, SQLException e) {
        String where = place() + " (while " + doing + ": " + e.getMessage() + ")";
        return switch (e.getErrorCode()) {
            case BUSY, LOCKED ->
                new StoreUnavailableException(
                        "Another process has locked " + place() + " for more than " + busyTimeout.toMillis()
                                + " ms (while " + doing + "); find it with: fuser -v " + file,
                        e);
            case FULL ->
                new StoreUnavailableException(
                        "No space left for " + where + "; free some, and it continues by itself", e);
            case READONLY, PERM ->
                new StoreUnusableException(
                        "No permission to write " + where
                                + "; give this process write access to the file and its directory",
                        e);
            case CORRUPT ->
                new StoreUnusableException(
                        "Damaged: " + where + ". It was not touched; stop all processes that use it, keep a copy, and"
                                + " restore a backup",
                        e);
            case NOTADB ->
                new StoreUnusableException(
                        "Not an SQLite database: " + place() + ". It was not touched; name another file", e);
            case ERROR, CONSTRAINT ->
                new StoreUnusableException(
                        "The tables of Holdfast are missing or changed in " + where + "; restore a backup", e);
            case CANTOPEN ->
                new StoreUnavailableException(
                        "Cannot open " + where
                                + "; check that the file is there, its permissions, and the limit of open" + " files",
                        e);
            default ->
                new StoreUnavailableException("Cannot use " + where + "; check the disk, and the space left on it", e);
        };
    }

    /**
     * Whether a commit that failed so may have happened all the same. The mark of a commit is the last thing written to the
     * log: without space for it, or without the lock, there is none. After any other error it may be there.
     */
    @Override
    public boolean mayHaveCommitted(SQLException e) {
        int code = e.getErrorCode();
        return code != BUSY && code != FULL;
    }
}
