package dev.holdfast.jdbc.connection;

import java.sql.Connection;
import java.sql.SQLException;

/** Where connections come from: the caller's pool, or a URL. What a pool would do for the latter is done by the lanes. */
public interface ConnectionSource {
    Connection getConnection() throws SQLException;

    /** Whether others take theirs from the same source: a pool of the caller, which gives only so many. */
    default boolean isShared() {
        return true;
    }

    /** One that nobody else takes from: what is asked for is opened. */
    static ConnectionSource own(ConnectionSource opening) {
        return new ConnectionSource() {
            @Override
            public Connection getConnection() throws SQLException {
                return opening.getConnection();
            }

            @Override
            public boolean isShared() {
                return false;
            }
        };
    }
}
