package dev.holdfast.jdbc;

import dev.holdfast.spi.StoreException;
import java.sql.SQLException;

/** What the errors of a database server mean. */
interface Failures {
    /** Where the data is, for messages; without secrets. */
    String place();

    /** What to say of an error after which nothing was changed. {@code doing} completes "while ...". */
    StoreException of(String doing, SQLException e);

    /** Whether a statement or commit that failed so may nevertheless have happened. */
    boolean mayHaveCommitted(SQLException e);

    /** Whether the connection can be used on after it. */
    boolean survives(SQLException e);

    /** Whether somebody else's transaction has locked a row. */
    boolean isLocked(SQLException e);
}
