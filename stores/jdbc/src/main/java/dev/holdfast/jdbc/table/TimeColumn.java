package dev.holdfast.jdbc.table;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;

/** The form of a database's time columns. */
public interface TimeColumn {
    void set(PreparedStatement statement, int index, Instant time) throws SQLException;

    /**
     * The time in a column.
     *
     * @throws java.time.DateTimeException if there is none in it
     */
    Instant get(ResultSet row, int column) throws SQLException;
}
