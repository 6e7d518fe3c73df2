package dev.holdfast.jdbc;

import dev.holdfast.Lease;
import dev.holdfast.jdbc.fence.StaleLease;
import dev.holdfast.model.Token;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * An update that a later holder's write makes impossible, in any database: the table has a column {@code fence} (a number, not
 * null, 0 at first; {@link FenceDdl} adds it) that keeps the token of the last holder who wrote the row.
 *
 * <pre>{@code
 * int rows = FencedUpdate.of("orders").set("status = ?", "shipped").where("id = ?", 4711).run(connection, lease);
 *
 *   update orders set status = ?, fence = ? where (id = ?) and fence <= ?
 * }</pre>
 *
 * <p>Immutable. Table, assignments and condition are SQL of the program's own: never put input into them, it goes into the values.
 */
public final class FencedUpdate {
    /** The column that keeps the token. */
    static final String COLUMN = "fence";

    private final String table;
    private final String assignments;
    private final List<Object> assigned;
    private final String condition;
    private final List<Object> compared;

    private FencedUpdate(
            String table, String assignments, List<Object> assigned, String condition, List<Object> compared) {
        this.table = table;
        this.assignments = assignments;
        this.assigned = List.copyOf(assigned);
        this.condition = condition;
        this.compared = List.copyOf(compared);
    }

    /** Updates this table; as it is, only the token is written. */
    public static FencedUpdate of(String table) {
        return new FencedUpdate(stated("table", table), "", List.of(), "", List.of());
    }

    /** Assigns too: {@code "status = ?, total = total + ?"} and the values of its places. The token is assigned by itself. */
    public FencedUpdate set(String more, Object... values) {
        List<Object> all = new ArrayList<>(assigned);
        all.addAll(List.of(values));
        return new FencedUpdate(table, assignments + stated("assignment", more) + ", ", all, condition, compared);
    }

    /** Only these rows: {@code "id = ?"} and the values of its places. Needed; the comparison of tokens is added by itself. */
    public FencedUpdate where(String rows, Object... values) {
        return new FencedUpdate(table, assignments, assigned, stated("condition", rows), List.of(values));
    }

    /**
     * Runs it, in the caller's transaction if there is one.
     *
     * @return the number of rows updated; 0 if there is no such row
     * @throws StaleLeaseException if a later holder has written one of the rows, which is then left as it is; roll back
     * @throws IllegalStateException if it was not said which rows
     * @throws IllegalArgumentException if the lease is of several locks: each has a token of its own, so pass the one of the lock
     *     that protects this table, from {@link Lease#each()}
     */
    public int run(Connection connection, Lease lease) throws SQLException {
        if (condition.isEmpty()) {
            throw new IllegalStateException("An update of '" + table
                    + "' without condition would fence all its rows; say which with where(...)");
        }
        if (lease.each().size() > 1) {
            throw new IllegalArgumentException(
                    "A lease of several locks has several tokens; pass the one of the lock that" + " protects '" + table
                            + "', from lease.each()");
        }
        Token token = lease.token();
        int updated = update(connection, token.value());
        long newer = newer(connection, token.value());
        if (newer > token.value()) {
            throw new StaleLeaseException(StaleLease.fenced(lease.key(), token, new Token(newer)));
        }
        return updated;
    }

    private int update(Connection connection, long token) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                "update " + table + " set " + assignments + COLUMN + " = ?" + rows() + " and " + COLUMN + " <= ?")) {
            int i = set(statement, 1, assigned);
            statement.setLong(i++, token);
            i = set(statement, i, compared);
            statement.setLong(i, token);
            return statement.executeUpdate();
        }
    }

    /** Rows of a later holder were left out by the update, and so still fit the condition. */
    private long newer(Connection connection, long token) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                "select max(" + COLUMN + ") from " + table + rows() + " and " + COLUMN + " > ?")) {
            statement.setLong(set(statement, 1, compared), token);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? row.getLong(1) : 0;
            }
        }
    }

    private String rows() {
        return " where (" + condition + "\n)"; // on a line of its own: the condition may end in a comment
    }

    private static int set(PreparedStatement statement, int first, List<Object> values) throws SQLException {
        int i = first;
        for (Object value : values) {
            statement.setObject(i++, value);
        }
        return i;
    }

    private static String stated(String what, String sql) {
        if (sql.isBlank()) {
            throw new IllegalArgumentException("the " + what + " of a fenced update must not be empty");
        }
        return sql;
    }
}
