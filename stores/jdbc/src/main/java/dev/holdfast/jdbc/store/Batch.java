package dev.holdfast.jdbc.store;

import dev.holdfast.jdbc.connection.Session;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import java.sql.SQLException;
import java.util.List;

/** Writes records in the way of one database. */
public interface Batch {
    /** Writes them as {@link dev.holdfast.spi.RecordStore#write} promises, and commits. */
    List<WriteResult> write(Session session, List<Write> writes) throws SQLException;
}
