package dev.holdfast.jdbc.mariadb;

import dev.holdfast.jdbc.connection.Session;
import dev.holdfast.jdbc.table.LockRows;
import dev.holdfast.jdbc.table.Utc;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.RecordKey;
import dev.holdfast.spi.StoreUnusableException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The statements of a batch. Each row's condition is part of its statement; several rows go down together. */
final class MariadbRows {
    /** How many keys are asked for at once: a few different texts, so that each is prepared once. */
    private static final int[] SIZES = {1, 8, 64};

    private static final String OF_KEY = "(namespace = ? and name = ?)";
    private static final String INSERT = "insert into holdfast_lock (namespace, name, "
            + String.join(", ", LockRows.COLUMNS) + ") values (?, ?" + ", ?".repeat(LockRows.COLUMNS.size()) + ")";

    private final LockRows locks = new LockRows(Utc.COLUMN);
    private final String update;
    private final String delete;

    MariadbRows(String nowSql) {
        String condition =
                " where namespace = ? and name = ? and stamp = ? and " + nowSql + " >= cast(? as datetime(6))";
        update = "update holdfast_lock set " + String.join(" = ?, ", LockRows.COLUMNS) + " = ?" + condition;
        delete = "delete from holdfast_lock" + condition;
    }

    // ---- reading

    /** What is stored under the keys of these rows. */
    Map<RecordKey, MariadbRow.Current> read(Session session, List<MariadbRow> rows) throws SQLException {
        Map<RecordKey, MariadbRow.Current> found = new HashMap<>(rows.size() * 2);
        int next = 0;
        while (next < rows.size()) {
            int size = size(rows.size() - next);
            PreparedStatement statement = session.prepare(select(size));
            for (int i = 0; i < size; i++) {
                // Too few keys for the size: the last one is asked for again.
                LockRows.setKey(
                        statement,
                        2 * i + 1,
                        rows.get(Math.min(next + i, rows.size() - 1)).key());
            }
            next += size;
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    found.put(new RecordKey(row.getString(1), row.getString(2)), stored(row));
                }
            }
        }
        return found;
    }

    private static int size(int wanted) {
        for (int size : SIZES) {
            if (wanted <= size) {
                return size;
            }
        }
        return SIZES[SIZES.length - 1];
    }

    private static String select(int size) {
        return "select namespace, name, stamp, fence, body, past from holdfast_lock where " + OF_KEY
                + (" or " + OF_KEY).repeat(size - 1);
    }

    private static MariadbRow.Current stored(ResultSet row) throws SQLException {
        String past = String.valueOf(row.getString(6));
        try {
            return new MariadbRow.Current(LockRows.record(row), past, null);
        } catch (StoreUnusableException e) {
            return new MariadbRow.Current(null, past, e); // fails its own write, not the others
        }
    }

    // ---- writing

    /** Writes each whose stamp is the expected one, and marks those as applied. */
    void update(Session session, List<MariadbRow> rows) throws SQLException {
        PreparedStatement statement = session.prepare(update);
        run(session, statement, rows, row -> {
            int next = locks.set(statement, 1, row.record());
            if (row.keptPast().isPresent()) {
                statement.setString(next - 1, row.keptPast().get());
            }
            setCondition(statement, next, row);
        });
    }

    /** Writes each that is not there. One that somebody else inserts meanwhile fails as a duplicate, if it is among several. */
    void insert(Session session, List<MariadbRow> rows) throws SQLException {
        PreparedStatement statement = session.prepare(INSERT);
        try {
            run(session, statement, rows, row -> {
                LockRows.setKey(statement, 1, row.key());
                locks.set(statement, 3, row.record());
            });
        } catch (SQLException e) {
            if (rows.size() > 1 || MariadbFailures.code(e) != MariadbFailures.DUPLICATE) {
                throw e;
            }
        }
    }

    /** Deletes each whose stamp is the expected one. Rare, so one by one. */
    void delete(Session session, List<MariadbRow> rows) throws SQLException {
        PreparedStatement statement = session.prepare(delete);
        for (MariadbRow row : rows) {
            setCondition(statement, 1, row);
            if (statement.executeUpdate() == 1) {
                row.applied();
            }
        }
    }

    private static void setCondition(PreparedStatement statement, int first, MariadbRow row) throws SQLException {
        LockRows.setKey(statement, first, row.key());
        statement.setLong(first + 2, row.expected().value());
        statement.setString(first + 3, row.notBefore());
    }

    private interface Parameters {
        void set(MariadbRow row) throws SQLException;
    }

    private void run(Session session, PreparedStatement statement, List<MariadbRow> rows, Parameters parameters)
            throws SQLException {
        if (rows.size() == 1) {
            parameters.set(rows.get(0));
            if (statement.executeUpdate() == 1) {
                rows.get(0).applied();
            }
            return;
        }
        statement.clearBatch();
        for (MariadbRow row : rows) {
            parameters.set(row);
            statement.addBatch();
        }
        int[] counts = statement.executeBatch();
        boolean told = true;
        for (int i = 0; i < counts.length; i++) {
            told = told && counts[i] != Statement.SUCCESS_NO_INFO;
        }
        if (!told) {
            markStored(session, rows);
            return;
        }
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] == 1) {
                rows.get(i).applied();
            }
        }
    }

    /** A driver that sends many rows as one does not tell which it changed; but no stamp is ever used twice. */
    private void markStored(Session session, List<MariadbRow> rows) throws SQLException {
        Map<RecordKey, MariadbRow.Current> stored = read(session, rows);
        for (MariadbRow row : rows) {
            MariadbRow.Current now = stored.get(row.key());
            LockRecord record = now == null ? null : now.record();
            if (record != null && record.stamp().equals(row.record().stamp())) {
                row.applied();
            }
        }
    }
}
