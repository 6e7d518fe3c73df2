package dev.holdfast.jdbc.postgres;

import dev.holdfast.jdbc.connection.ServerFailures;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.spi.StoreUrls;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;

/** What PostgreSQL's errors mean, by SQL state, and what to do about each. */
public final class PostgresFailures implements ServerFailures {
    static final String LOCK_TIMEOUT = "55P03";
    /** Errors after which the transaction is gone and the connection as good as before. */
    private static final Set<String> PASSING = Set.of(LOCK_TIMEOUT, "40001", "40P01", "57014");

    private static final String READ_ONLY = "25006";

    private final String place;

    public PostgresFailures(String place) {
        this.place = place;
    }

    @Override
    public String place() {
        return place;
    }

    /** The exception for an error after which nothing was changed. */
    @Override
    public StoreException of(String doing, SQLException e) {
        String state = state(e);
        String where = place + " (while " + doing + ": " + firstLine(e) + ")";
        if (e instanceof SQLTransientConnectionException) {
            return new StoreUnavailableException(
                    "The pool has no connection for " + where + "; the store keeps 2 connections, and uses up to 6:"
                            + " make the pool that much larger",
                    e);
        }
        switch (state) {
            case LOCK_TIMEOUT -> {
                return new StoreUnavailableException(
                        "Another transaction has locked Holdfast's rows or tables in " + where
                                + "; find it with: select pid, query from pg_stat_activity where state <> 'idle'",
                        e);
            }
            case "40001", "40P01", "57014" -> {
                return new StoreUnavailableException("The server gave up a statement of ours in " + where, e);
            }
            case READ_ONLY -> {
                return new StoreUnavailableException(
                        "The server is read-only: " + where + "; connect to the primary", e);
            }
            case "26000", "42P05" -> {
                return new StoreUnavailableException(
                        "Prepared statements got lost in " + where
                                + "; a pooler between us and the server seems to share"
                                + " connections and was not there before: restart this process",
                        e);
            }
            case "42501" -> {
                return new StoreUnusableException(
                        "The user lacks a right in " + where
                                + "; grant usage and create on the schema, or let its owner"
                                + " run the output of: holdfast schema print --store postgresql: and grant select,"
                                + " insert, update, delete on the tables",
                        e);
            }
            case "3D000" -> {
                return new StoreUnusableException(
                        "There is no such database: " + where + "; create it, or correct the" + " name", e);
            }
            case "3F000" -> {
                return new StoreUnusableException(
                        "No schema to keep the tables in: " + where + "; create the one named by currentSchema, or"
                                + " correct the name",
                        e);
            }
            default -> {
                return ofClass(state, where, e);
            }
        }
    }

    private static StoreException ofClass(String state, String where, SQLException e) {
        return switch (state.length() < 2 ? "" : state.substring(0, 2)) {
            case "28" ->
                new StoreUnusableException(
                        "The server does not let us in: " + where + "; check user, password and pg_hba.conf", e);
            case "42", "22", "23" ->
                new StoreUnusableException(
                        "The tables of Holdfast are missing or changed in " + where + "; restore a backup", e);
            case "53" ->
                new StoreUnavailableException(
                        "The server is out of connections, memory or disk: " + where + "; it goes on by itself when"
                                + " there are some again",
                        e);
            default ->
                new StoreUnavailableException(
                        "Cannot use " + where + "; check that the server runs, its address, and the network", e);
        };
    }

    /**
     * Whether a statement that failed so may have committed all the same. The server reports errors of the statement before
     * the commit; a connection that ended, or a server that was shut down, may have done so after it.
     */
    @Override
    public boolean mayHaveCommitted(SQLException e) {
        String state = state(e);
        return state.isEmpty()
                || state.startsWith("08")
                || state.startsWith("57P")
                || state.startsWith("58")
                || state.startsWith("XX");
    }

    @Override
    public boolean survives(SQLException e) {
        return PASSING.contains(state(e));
    }

    @Override
    public boolean isLocked(SQLException e) {
        return state(e).equals(LOCK_TIMEOUT);
    }

    static String state(SQLException e) {
        String state = e.getSQLState();
        return state == null ? "" : state;
    }

    private static String firstLine(SQLException e) {
        // The driver repeats a URL it cannot read.
        return StoreUrls.maskedIn(
                String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
    }
}
