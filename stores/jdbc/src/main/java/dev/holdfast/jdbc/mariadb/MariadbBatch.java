package dev.holdfast.jdbc.mariadb;

import dev.holdfast.jdbc.connection.Session;
import dev.holdfast.jdbc.store.Batch;
import dev.holdfast.jdbc.table.EventRows;
import dev.holdfast.model.RecordKey;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * A batch in one transaction: what has to be judged is read, then everything is written on condition that it still has the
 * stamp that was read, in key order so that two batches do not lock each other out; what was refused is read; the events of
 * the others; one commit. However many the records are, they go with one statement each for locking, writing and events.
 */
final class MariadbBatch implements Batch {
    private static final Comparator<MariadbRow> BY_KEY = Comparator.comparing(MariadbRow::key);

    private final MariadbRows rows;

    MariadbBatch(String nowSql) {
        this.rows = new MariadbRows(nowSql);
    }

    /** After a failure nothing is left of the batch in the connection, unless it was the commit that failed. */
    @Override
    public List<WriteResult> write(Session session, List<Write> writes) throws SQLException {
        try {
            return inTransaction(session, writes);
        } catch (SQLException e) {
            if (!session.failedInCommit()) {
                session.recover();
            }
            throw e;
        }
    }

    private List<WriteResult> inTransaction(Session session, List<Write> writes) throws SQLException {
        List<MariadbRow> all = writes.stream().map(MariadbRow::new).toList();
        List<MariadbRow> sorted = all.stream().sorted(BY_KEY).toList();
        List<MariadbRow> unread = only(sorted, MariadbRow::isToBeJudged);
        if (!unread.isEmpty()) {
            Map<RecordKey, MariadbRow.Current> stored = rows.read(session, unread);
            unread.forEach(row -> row.judge(stored.get(row.key())));
        }
        rows.update(session, only(sorted, MariadbRow::isUpdate));
        rows.delete(session, only(sorted, MariadbRow::isDelete));
        rows.insert(session, only(sorted, MariadbRow::isInsert));
        List<MariadbRow> refused = only(sorted, MariadbRow::isOpen);
        if (!refused.isEmpty()) {
            Map<RecordKey, MariadbRow.Current> stored = rows.read(session, refused);
            refused.forEach(row -> row.refuse(stored.get(row.key())));
        }
        end(session, all);
        return all.stream().map(MariadbRow::result).toList();
    }

    private static void end(Session session, List<MariadbRow> all) throws SQLException {
        List<MariadbRow> applied = only(all, MariadbRow::isApplied);
        if (!applied.isEmpty()) {
            EventRows.insert(
                    session,
                    applied.stream().flatMap(row -> row.write.events().stream()).toList());
            session.commit();
        } else {
            session.rollback(); // nothing to make durable
        }
    }

    private static List<MariadbRow> only(List<MariadbRow> rows, Predicate<MariadbRow> which) {
        return rows.stream().filter(which).toList();
    }
}
