package dev.holdfast.jdbc.table;

import dev.holdfast.jdbc.connection.Session;
import java.sql.SQLException;
import java.util.List;

/** The tables and views of locks in one database. All is done on a session that commits by itself. */
public interface LockSchema {
    /** Does what is missing. */
    void ensure(Session session) throws SQLException;

    /** Makes anew what is missing, and says what that means; nothing if nothing was. */
    List<String> repair(Session session) throws SQLException;

    /** Takes away what is ours, all of it or a part, and nothing else. */
    void drop(Session session) throws SQLException;

    /** Names of our views that something else has. */
    List<String> hidden(Session session) throws SQLException;
}
