package dev.holdfast.jdbc.table;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** What tools do to the tables of one database. Each fails with a {@link dev.holdfast.spi.StoreException}. */
public interface SqlTables {
    /** Takes away the tables and views of locks. */
    void dropLocks();

    void dropDocuments();

    /** Makes anew what is missing of the tables of locks, and says what was. */
    List<String> repair();

    /** The names of our views that a table or view of somebody else has. */
    List<String> hiddenViews();

    /** A connection to read what else is there. */
    Connection reader() throws SQLException;
}
