package dev.holdfast.jdbc.postgres;

import static java.util.Map.entry;

import dev.holdfast.jdbc.connection.ServerFailures;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Map;
import java.util.Set;

/** What PostgreSQL's errors mean, by SQL state, and what to do about each. */
public final class PostgresFailures extends ServerFailures {
    static final String LOCK_TIMEOUT = "55P03";
    /** Errors after which the transaction is gone and the connection as good as before. */
    private static final Set<String> PASSING = Set.of(LOCK_TIMEOUT, "40001", "40P01", "57014");

    private static final Meaning NO_CONNECTION = Meaning.passing(
            "The pool has no connection for ",
            "; the store keeps 2 connections, and uses up to 6: make the pool that much larger");
    private static final Meaning LOST_STATEMENTS = Meaning.passing(
            "Prepared statements were lost in ",
            "; a pooler between us and the server seems to share connections and was not there before: restart this process");

    /** By a whole state, or by the class it is in: its first two characters. */
    private static final Map<String, Meaning> MEANINGS = Map.ofEntries(
            entry(LOCK_TIMEOUT, Meaning.locked("select pid, query from pg_stat_activity where state <> 'idle'")),
            entry("40001", GIVEN_UP),
            entry("40P01", GIVEN_UP),
            entry("57014", GIVEN_UP),
            entry("25006", READ_ONLY),
            entry("26000", LOST_STATEMENTS),
            entry("42P05", LOST_STATEMENTS),
            entry(
                    "42501",
                    Meaning.lasting(
                            "The user lacks a right in ",
                            "; grant usage and create on the schema, or let its owner run the output of: holdfast schema"
                                    + " print --store postgresql: and grant select, insert, update, delete on the tables")),
            entry("3D000", NO_DATABASE),
            entry(
                    "3F000",
                    Meaning.lasting(
                            "No schema to keep the tables in: ",
                            "; create the one named by currentSchema, or correct the name")),
            entry("28", Meaning.lasting("The server refuses the login: ", "; check user, password and pg_hba.conf")),
            entry("42", OTHER_TABLES),
            entry("22", OTHER_TABLES),
            entry("23", OTHER_TABLES),
            entry("53", EXHAUSTED));

    public PostgresFailures(String place) {
        super(place);
    }

    @Override
    protected Meaning meaning(SQLException e) {
        if (e instanceof SQLTransientConnectionException) {
            return NO_CONNECTION;
        }
        String state = state(e);
        String group = state.substring(0, Math.min(2, state.length()));
        return MEANINGS.getOrDefault(state, MEANINGS.getOrDefault(group, UNREACHABLE));
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
}
