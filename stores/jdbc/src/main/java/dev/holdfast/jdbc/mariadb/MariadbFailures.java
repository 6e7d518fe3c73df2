package dev.holdfast.jdbc.mariadb;

import dev.holdfast.jdbc.connection.ServerFailures;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.spi.StoreUrls;
import java.sql.SQLException;
import java.util.Set;

/** What the errors of MariaDB and MySQL mean, by their number, and what to do about each. */
public final class MariadbFailures implements ServerFailures {
    static final int DUPLICATE = 1062;
    static final int READ_ONLY = 1290;
    private static final int LOCK_TIMEOUT = 1205;
    private static final int DEADLOCK = 1213;
    /** MySQL's answer to NOWAIT; MariaDB gives {@link #LOCK_TIMEOUT}. */
    private static final int LOCKED = 3572;

    private static final Set<Integer> LOCKS = Set.of(LOCK_TIMEOUT, LOCKED);
    /** A statement that took too long (MariaDB, MySQL) or was killed, or a transaction that was the victim of a deadlock. */
    private static final Set<Integer> GIVEN_UP = Set.of(DEADLOCK, 1969, 3024, 1317);

    private static final Set<Integer> READ_ONLYS = Set.of(READ_ONLY, 1792, 1836);
    private static final Set<Integer> NO_RIGHT = Set.of(1044, 1142, 1143, 1227, 1370);
    private static final Set<Integer> NO_ENTRY = Set.of(1045, 1129, 1130, 1251, 1698, 1820, 1862, 4151);
    private static final Set<Integer> NO_DATABASE = Set.of(1046, 1049);
    private static final Set<Integer> OTHER_TABLES = Set.of(1048, 1054, 1136, 1146, 1264, 1292, 1364, 1366, 1406);
    private static final Set<Integer> EXHAUSTED = Set.of(1021, 1037, 1038, 1040, 1041, 1114, 1203, 1226, 3168);
    /** READ COMMITTED with a binary log of statements. */
    private static final int STATEMENT_LOG = 1665;

    private final String place;

    public MariadbFailures(String place) {
        this.place = place;
    }

    @Override
    public String place() {
        return place;
    }

    /** The exception for an error after which nothing was changed. */
    @Override
    public StoreException of(String doing, SQLException e) {
        int code = code(e);
        String where = place + " (while " + doing + ": " + firstLine(e) + ")";
        if (LOCKS.contains(code)) {
            return new StoreUnavailableException(
                    "Another transaction has locked Holdfast's rows or tables in " + where
                            + "; find it with: select trx_mysql_thread_id, trx_query, trx_started from"
                            + " information_schema.innodb_trx",
                    e);
        }
        if (GIVEN_UP.contains(code)) {
            return new StoreUnavailableException("The server gave up a statement of ours in " + where, e);
        }
        if (READ_ONLYS.contains(code)) {
            return new StoreUnavailableException("The server is read-only: " + where + "; connect to the primary", e);
        }
        if (EXHAUSTED.contains(code)) {
            return new StoreUnavailableException(
                    "The server is out of connections, memory or disk: " + where + "; it goes on by itself when there"
                            + " are some again",
                    e);
        }
        return unusable(code, where, e);
    }

    private static StoreException unusable(int code, String where, SQLException e) {
        if (NO_RIGHT.contains(code)) {
            return new StoreUnusableException(
                    "The user lacks a right in " + where + "; grant select, insert, update, delete, create, alter,"
                            + " index and create view on the database, or let its owner run the output of: holdfast"
                            + " schema print --store mariadb: and grant select, insert, update, delete on the tables",
                    e);
        }
        if (NO_DATABASE.contains(code)) {
            return new StoreUnusableException(
                    "There is no such database: " + where + "; create it, or correct the name", e);
        }
        if (code == STATEMENT_LOG) {
            return new StoreUnusableException(
                    "The server's binary log cannot take what READ COMMITTED writes: " + where
                            + "; set binlog_format to ROW or MIXED",
                    e);
        }
        if (NO_ENTRY.contains(code) || state(e).startsWith("28")) {
            return new StoreUnusableException(
                    "The server does not let us in: " + where + "; check user, password, and from which hosts the user"
                            + " may connect",
                    e);
        }
        if (OTHER_TABLES.contains(code) || state(e).startsWith("42") || state(e).startsWith("22")) {
            return new StoreUnusableException(
                    "The tables of Holdfast are missing or changed in " + where + "; restore a backup", e);
        }
        return new StoreUnavailableException(
                "Cannot use " + where + "; check that the server runs, its address, and the network", e);
    }

    /**
     * Whether a commit that failed so may have happened all the same. Only a deadlock, with which a cluster refuses a
     * transaction, and a timeout tell that it was rolled back.
     */
    @Override
    public boolean mayHaveCommitted(SQLException e) {
        return !LOCKS.contains(code(e)) && code(e) != DEADLOCK;
    }

    /** Errors after which the transaction is gone and the connection as good as before. */
    @Override
    public boolean survives(SQLException e) {
        return LOCKS.contains(code(e)) || GIVEN_UP.contains(code(e)) || code(e) == DUPLICATE;
    }

    /**
     * Whether a batch ran into somebody else: a locked row, a deadlock, or a row inserted at the same moment. Written row by
     * row it gets through, but for those really locked.
     */
    @Override
    public boolean isLocked(SQLException e) {
        return LOCKS.contains(code(e)) || code(e) == DEADLOCK || code(e) == DUPLICATE;
    }

    static boolean lacksRight(SQLException e) {
        return NO_RIGHT.contains(code(e));
    }

    /** The server's number of an error; 0 if it is the driver's own. */
    static int code(SQLException e) {
        int code = e.getErrorCode();
        return code == 0 && e.getCause() instanceof SQLException cause ? cause.getErrorCode() : code;
    }

    private static String state(SQLException e) {
        String state = e.getSQLState();
        return state == null ? "" : state;
    }

    /** Without a password, should the driver repeat a URL with one. */
    private static String firstLine(SQLException e) {
        return StoreUrls.maskedIn(
                String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
    }
}
