package dev.holdfast.jdbc.connection;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A connection and its prepared statements. For one thread at a time; {@link Lane} sees to that. */
public final class Session {
    /** Statements kept: more than there are different ones, but filters of listings multiply. */
    private static final int MAX_STATEMENTS = 64;

    /** What gives a connection back, as it was taken. */
    public interface End {
        void close(Connection connection) throws SQLException;
    }

    private final Connection connection;
    private final End end;
    private final Map<String, PreparedStatement> statements = new LinkedHashMap<>(16, 0.75f, true);
    private boolean committing;

    public Session(Connection connection) {
        this(connection, Connection::close);
    }

    public Session(Connection connection, End end) {
        this.connection = connection;
        this.end = end;
    }

    public Connection connection() {
        return connection;
    }

    /** The statement with this text, prepared once. */
    public PreparedStatement prepare(String sql) throws SQLException {
        PreparedStatement known = statements.get(sql);
        if (known != null) {
            return known;
        }
        PreparedStatement statement = connection.prepareStatement(sql);
        statements.put(sql, statement);
        if (statements.size() > MAX_STATEMENTS) {
            String eldest = statements.keySet().iterator().next();
            PreparedStatement dropped = statements.remove(eldest);
            if (dropped != null) {
                dropped.close();
            }
        }
        return statement;
    }

    public interface RowReader<T> {
        @Nullable T read(ResultSet row) throws SQLException;
    }

    /** What the first row of a query says; empty if there is none, or it says nothing. Parameters are texts and numbers. */
    public <T> Optional<T> first(String sql, RowReader<T> reader, Object... parameters) throws SQLException {
        try (ResultSet row = with(sql, parameters).executeQuery()) {
            return row.next() ? Optional.ofNullable(reader.read(row)) : Optional.empty();
        }
    }

    /** What all rows of a query say. */
    public <T> List<T> all(String sql, RowReader<T> reader, Object... parameters) throws SQLException {
        List<T> found = new ArrayList<>();
        try (ResultSet row = with(sql, parameters).executeQuery()) {
            while (row.next()) {
                Optional.ofNullable(reader.read(row)).ifPresent(found::add);
            }
        }
        return found;
    }

    /** How many rows a statement changes. */
    public int update(String sql, Object... parameters) throws SQLException {
        return with(sql, parameters).executeUpdate();
    }

    private PreparedStatement with(String sql, Object... parameters) throws SQLException {
        PreparedStatement statement = prepare(sql);
        for (int i = 0; i < parameters.length; i++) {
            set(statement, i + 1, parameters[i]);
        }
        return statement;
    }

    /** Sets a text, a number or texts, always with its own type: another one would make some servers plan anew. */
    public static void set(PreparedStatement statement, int index, @Nullable Object value) throws SQLException {
        if (value instanceof Long number) {
            statement.setLong(index, number);
        } else if (value instanceof Integer number) {
            statement.setInt(index, number);
        } else if (value instanceof Object[] texts) {
            statement.setArray(index, statement.getConnection().createArrayOf("text", texts));
        } else {
            statement.setString(index, (String) value);
        }
    }

    /** Runs a statement that is not worth keeping. */
    public void execute(String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Commits, unless every statement does so by itself. */
    public void commit() throws SQLException {
        if (connection.getAutoCommit()) {
            return;
        }
        committing = true;
        connection.commit();
        committing = false;
    }

    /** Runs a statement that commits by itself: when it fails, it may have. */
    public ResultSet executeAndCommit(PreparedStatement statement) throws SQLException {
        committing = true;
        ResultSet rows = statement.executeQuery();
        committing = false;
        return rows;
    }

    /** The same for one that answers with a count. */
    public int updateAndCommit(PreparedStatement statement) throws SQLException {
        committing = true;
        int count = statement.executeUpdate();
        committing = false;
        return count;
    }

    /** Ends a transaction that changed nothing worth keeping. */
    public void rollback() throws SQLException {
        connection.rollback();
    }

    /** Whether the last thing that happened here is a commit that failed. */
    public boolean failedInCommit() {
        return committing;
    }

    /** After a failure: whether the session is as good as new. */
    public boolean recover() {
        committing = false;
        try {
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
            return true;
        } catch (SQLException e) {
            return false; // whatever is wrong with it, a new connection does not have it
        }
    }

    public void close() throws SQLException {
        end.close(connection);
    }
}
