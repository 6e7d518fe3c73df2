package dev.holdfast.jdbc.mariadb;

import dev.holdfast.jdbc.connection.Session;
import dev.holdfast.jdbc.table.LockRows;
import dev.holdfast.jdbc.table.Utc;
import dev.holdfast.model.RecordKey;
import dev.holdfast.spi.RecordText;
import dev.holdfast.spi.StoreUnusableException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The statements of a batch. One row is written with its condition in the statement. Several are locked by one statement, which tells
 * which of them are as expected, and written by another.
 */
final class MariadbRows {
    /** How many keys are asked for at once: a few different texts, so that each is prepared once. */
    private static final int[] SIZES = {1, 8, 64};

    private static final String OF_KEY = "(namespace = ? and name = ?)";
    private static final List<String> ALL_BUT_PAST = LockRows.COLUMNS.subList(0, LockRows.COLUMNS.size() - 1);

    /** Characters of records in one statement, far below the 16 MB that a server takes unless told otherwise. */
    private static final int MAX_LENGTH = 200_000;
    /** In the column past of a row that keeps what it has there; else there is JSON, or nothing. */
    private static final String KEPT = "-";

    private static final String INSERT =
            "insert into holdfast_lock (id, namespace, name, " + String.join(", ", LockRows.COLUMNS) + ") values ";
    private static final String VALUES = "(?, ?, ?" + ", ?".repeat(LockRows.COLUMNS.size()) + ")";
    /** The rows are there, and locked: nothing is inserted. Both servers do this much faster than as many updates. */
    private static final String OVER_STORED = ALL_BUT_PAST.stream()
            .map(column -> column + " = values(" + column + "), ")
            .collect(Collectors.joining(
                    "", " on duplicate key update ", "past = if(values(past) = '" + KEPT + "', past, values(past))"));

    private final LockRows locks = new LockRows(Utc.COLUMN);
    private final String nowSql;
    private final String update;
    private final String updateKeeping;
    private final String delete;

    MariadbRows(String nowSql) {
        String condition =
                " where namespace = ? and name = ? and stamp = ? and " + nowSql + " >= cast(? as datetime(6))";
        this.nowSql = nowSql;
        update = "update holdfast_lock set " + String.join(" = ?, ", LockRows.COLUMNS) + " = ?" + condition;
        updateKeeping = "update holdfast_lock set " + String.join(" = ?, ", ALL_BUT_PAST) + " = ?" + condition;
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

    // ---- writing one

    /** Writes it if its stamp is the expected one, and says whether it did. */
    private boolean updateOne(Session session, MariadbRow row) throws SQLException {
        PreparedStatement statement = session.prepare(row.keepsPast() ? updateKeeping : update);
        int next = locks.setAllButPast(statement, 1, row.record(), row.text());
        if (!row.keepsPast()) {
            statement.setString(next++, row.text().past());
        }
        setCondition(statement, next, row);
        return statement.executeUpdate() == 1;
    }

    private static void setCondition(PreparedStatement statement, int first, MariadbRow row) throws SQLException {
        LockRows.setKey(statement, first, row.key());
        statement.setLong(first + 2, row.expected().value());
        statement.setString(first + 3, row.notBefore());
    }

    // ---- writing several

    /** Writes each whose stamp is the expected one, and marks those as applied. Several are locked first. */
    void update(Session session, List<MariadbRow> rows) throws SQLException {
        if (rows.size() > 1) {
            put(session, lock(session, rows), OVER_STORED);
        } else if (!rows.isEmpty() && updateOne(session, rows.get(0))) {
            rows.get(0).applied();
        }
    }

    /** Writes each that is not there. If somebody else inserts one meanwhile, all fail as duplicates, unless it is alone. */
    void insert(Session session, List<MariadbRow> rows) throws SQLException {
        try {
            put(session, rows, "");
        } catch (SQLException e) {
            if (rows.size() > 1 || MariadbFailures.code(e) != MariadbFailures.DUPLICATE) {
                throw e;
            }
        }
    }

    /** Deletes each whose stamp is the expected one. Rare, so one by one. */
    void delete(Session session, List<MariadbRow> rows) throws SQLException {
        for (MariadbRow row : rows) {
            PreparedStatement statement = session.prepare(delete);
            setCondition(statement, 1, row);
            if (statement.executeUpdate() == 1) {
                row.applied();
            }
        }
    }

    /** Locks the rows, in the order of their keys; those that are as expected. */
    private List<MariadbRow> lock(Session session, List<MariadbRow> rows) throws SQLException {
        Map<RecordKey, MariadbRow> byKey = new HashMap<>(rows.size() * 2);
        Map<String, List<String>> names = new LinkedHashMap<>();
        for (MariadbRow row : rows) {
            byKey.put(row.key(), row);
            names.computeIfAbsent(row.key().namespace(), namespace -> new ArrayList<>())
                    .add(row.key().name());
        }
        List<MariadbRow> expected = new ArrayList<>(rows.size());
        try (PreparedStatement statement = session.connection().prepareStatement(lockSql(names))) {
            int next = 1;
            for (Map.Entry<String, List<String>> group : names.entrySet()) {
                statement.setString(next++, group.getKey());
                for (String name : group.getValue()) {
                    statement.setString(next++, name);
                }
            }
            try (ResultSet stored = statement.executeQuery()) {
                while (stored.next()) {
                    MariadbRow row = byKey.get(new RecordKey(stored.getString(1), stored.getString(2)));
                    if (row != null && row.isMetBy(stored, 3, 4)) {
                        row.setId(stored.getLong(5));
                        expected.add(row);
                    }
                }
            }
        }
        return expected;
    }

    /** By the primary key: a server that read the whole table instead would wait for rows that are not ours. */
    String lockSql(Map<String, List<String>> names) {
        return names.values().stream()
                .map(some -> "namespace = ? and name in (?" + ", ?".repeat(some.size() - 1) + ")")
                .collect(Collectors.joining(
                        " or ",
                        "select namespace, name, stamp, " + nowSql
                                + ", id from holdfast_lock force index (primary) where ",
                        " for update"));
    }

    /** Writes all of them, with few statements, and marks them as applied. */
    private void put(Session session, List<MariadbRow> rows, String ending) throws SQLException {
        int from = 0;
        while (from < rows.size()) {
            int to = from;
            int length = 0;
            while (to < rows.size() && (to == from || length < MAX_LENGTH)) {
                RecordText text = rows.get(to++).text();
                length += text.body().length() + text.past().length();
            }
            putAtOnce(session, rows.subList(from, to), ending);
            from = to;
        }
    }

    private void putAtOnce(Session session, List<MariadbRow> rows, String ending) throws SQLException {
        String sql = INSERT + VALUES + (", " + VALUES).repeat(rows.size() - 1) + ending;
        try (PreparedStatement statement = session.connection().prepareStatement(sql)) {
            int next = 1;
            for (MariadbRow row : rows) {
                Long id = row.id();
                if (id == null) {
                    statement.setNull(next++, Types.BIGINT);
                } else {
                    statement.setLong(next++, id);
                }
                LockRows.setKey(statement, next, row.key());
                next = locks.setAllButPast(statement, next + 2, row.record(), row.text());
                statement.setString(next++, row.keepsPast() ? KEPT : row.text().past());
            }
            statement.executeUpdate();
        }
        rows.forEach(MariadbRow::applied);
    }
}
