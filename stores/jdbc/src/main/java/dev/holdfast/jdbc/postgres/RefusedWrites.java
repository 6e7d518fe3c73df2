package dev.holdfast.jdbc.postgres;

import dev.holdfast.jdbc.connection.Session;
import dev.holdfast.jdbc.table.LockRows;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.RecordKey;
import dev.holdfast.spi.Precondition;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.spi.Versioned;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What became of writes that a statement refused: read with a second one, since the first does not see what others commit meanwhile. */
record RefusedWrites(PostgresConnections connections) {
    /**
     * Adds what became of those that have no result yet. The writes are committed: if this fails, only those refused are in need of another try.
     */
    void judge(Session session, List<Write> writes, Map<RecordKey, WriteResult> results) {
        List<Write> refused = writes.stream()
                .filter(write -> !results.containsKey(write.key()))
                .toList();
        if (refused.isEmpty()) {
            return;
        }
        try {
            Map<RecordKey, WriteResult> current = current(session, refused);
            for (Write write : refused) {
                results.put(write.key(), judge(write, current.get(write.key())));
            }
        } catch (SQLException e) {
            StoreException why = connections.failures().of("reading what refused a write", e);
            refused.forEach(write -> results.put(write.key(), new WriteResult.Failed(why)));
        }
    }

    private static WriteResult judge(Write write, @Nullable WriteResult found) {
        if (found instanceof WriteResult.Refused refused && refused.current().isPresent()) {
            LockRecord record = refused.current().get().record();
            boolean ours = write.precondition() instanceof Precondition.Stamped stamped
                    && stamped.notBefore().isPresent()
                    && stamped.stamp().equals(record.stamp());
            return ours ? new WriteResult.TooEarly() : found;
        }
        if (found != null) {
            return found;
        }
        boolean mayBeAbsent = !(write.precondition() instanceof Precondition.Stamped);
        return write.record().isEmpty() && mayBeAbsent
                ? WriteResult.Applied.PLAIN
                : new WriteResult.Refused(Optional.empty());
    }

    private Map<RecordKey, WriteResult> current(Session session, List<Write> refused) throws SQLException {
        Map<RecordKey, WriteResult> found = new HashMap<>();
        session.all(
                PostgresSql.READ,
                row -> found.put(new RecordKey(row.getString(1), row.getString(2)), refused(row)),
                refused.stream().map(write -> write.key().namespace()).toArray(),
                refused.stream().map(write -> write.key().name()).toArray());
        if (connections.pooled()) {
            session.rollback();
        }
        return found;
    }

    /** A row that refused a write. */
    static WriteResult refused(ResultSet row) throws SQLException {
        try {
            return new WriteResult.Refused(Optional.of(Versioned.of(LockRows.record(row))));
        } catch (StoreUnusableException e) {
            return new WriteResult.Failed(e);
        }
    }
}
