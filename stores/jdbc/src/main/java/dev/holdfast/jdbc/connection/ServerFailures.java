package dev.holdfast.jdbc.connection;

import java.sql.SQLException;

/** What the errors of a database server mean, which many processes use at once. */
public interface ServerFailures extends SqlFailures {
    /** Whether the connection can be used on after it. */
    boolean survives(SQLException e);

    /** Whether somebody else's transaction has locked a row. */
    boolean isLocked(SQLException e);
}
