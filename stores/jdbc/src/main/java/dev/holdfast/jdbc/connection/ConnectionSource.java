package dev.holdfast.jdbc.connection;

import java.sql.Connection;
import java.sql.SQLException;

/** Where connections come from: the caller's pool, or a URL. What a pool would do for the latter is done by the lanes. */
public interface ConnectionSource {
    /** One more. */
    Connection getConnection() throws SQLException;
}
