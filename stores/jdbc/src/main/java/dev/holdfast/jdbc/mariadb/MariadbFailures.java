package dev.holdfast.jdbc.mariadb;

import dev.holdfast.jdbc.connection.ServerFailures;
import java.sql.SQLException;
import java.util.Map;
import java.util.Set;

/** What the errors of MariaDB and MySQL mean, by their number, and what to do about each. */
public final class MariadbFailures extends ServerFailures {
    static final int DUPLICATE = 1062;
    static final int READ_ONLY_OPTION = 1290;
    private static final int LOCK_TIMEOUT = 1205;
    private static final int DEADLOCK = 1213;
    /** MySQL's answer to NOWAIT; MariaDB gives {@link #LOCK_TIMEOUT}. */
    private static final int LOCKED = 3572;

    private static final Set<Integer> LOCKS = Set.of(LOCK_TIMEOUT, LOCKED);
    /** A statement that took too long (MariaDB, MySQL) or was killed, or a transaction that was the victim of a deadlock. */
    private static final Set<Integer> STOPPED = Set.of(DEADLOCK, 1969, 3024, 1317);

    private static final Set<Integer> NO_RIGHT = Set.of(1044, 1142, 1143, 1227, 1370);

    private static final Meaning LACKS_RIGHT = Meaning.lasting(
            "The user lacks a right in ",
            "; grant select, insert, update, delete, create, alter, index and create view on the database, or let its owner"
                    + " run the output of: holdfast schema print --store mariadb: and grant select, insert, update, delete"
                    + " on the tables");
    private static final Meaning NO_ENTRY = Meaning.lasting(
            "The server refuses the login: ", "; check user, password, and from which hosts the user may connect");

    /** By the numbers that have it; no number is in two of them. */
    private static final Map<Set<Integer>, Meaning> MEANINGS = Map.of(
            LOCKS,
            Meaning.locked("select trx_mysql_thread_id, trx_query, trx_started from information_schema.innodb_trx"),
            STOPPED,
            GIVEN_UP,
            Set.of(READ_ONLY_OPTION, 1792, 1836),
            READ_ONLY,
            Set.of(1021, 1037, 1038, 1040, 1041, 1114, 1203, 1226, 3168),
            EXHAUSTED,
            NO_RIGHT,
            LACKS_RIGHT,
            Set.of(1046, 1049),
            NO_DATABASE,
            Set.of(1665), // READ COMMITTED with a binary log of statements
            Meaning.lasting(
                    "The server's binary log cannot take what READ COMMITTED writes: ",
                    "; set binlog_format to ROW or MIXED"),
            Set.of(1045, 1129, 1130, 1251, 1698, 1820, 1862, 4151),
            NO_ENTRY,
            Set.of(1048, 1054, 1136, 1146, 1264, 1292, 1364, 1366, 1406),
            OTHER_TABLES);

    private static final Map<String, Meaning> BY_STATE = Map.of("28", NO_ENTRY, "42", OTHER_TABLES, "22", OTHER_TABLES);

    public MariadbFailures(String place) {
        super(place);
    }

    @Override
    protected Meaning meaning(SQLException e) {
        String state = state(e);
        return MEANINGS.entrySet().stream()
                .filter(known -> known.getKey().contains(code(e)))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElseGet(() -> BY_STATE.getOrDefault(state.substring(0, Math.min(2, state.length())), UNREACHABLE));
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
        return LOCKS.contains(code(e)) || STOPPED.contains(code(e)) || code(e) == DUPLICATE;
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
}
