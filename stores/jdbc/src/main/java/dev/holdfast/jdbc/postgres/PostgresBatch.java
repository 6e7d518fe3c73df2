package dev.holdfast.jdbc.postgres;

import dev.holdfast.jdbc.connection.Session;
import dev.holdfast.jdbc.store.Batch;
import dev.holdfast.jdbc.table.LockRows;
import dev.holdfast.model.LockEvent;
import dev.holdfast.model.RecordKey;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.Precondition;
import dev.holdfast.spi.Watchable;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A batch in one statement, and so in one round trip and one commit. Only what was refused is read, with a second one: a
 * statement does not see what others commit while it runs.
 */
final class PostgresBatch implements Batch {
    private static final Comparator<PostgresRow> BY_KEY =
            Comparator.comparing(row -> row.record().key());

    private final PostgresConnections connections;
    private final PostgresChannels channels;
    private final PostgresMultiWrite several;
    private final RefusedWrites refusals;

    // each text once; building them is not free
    private final String[][][] update = new String[PostgresSql.MOST_EVENTS + 1][2][2];
    private final String[][][] updateAndTell = new String[PostgresSql.MOST_EVENTS + 1][2][2];
    private final String[] replaceIdle = new String[PostgresSql.MOST_EVENTS + 1];
    private final String[] insert = new String[PostgresSql.MOST_EVENTS + 1];

    PostgresBatch(PostgresConnections connections, PostgresChannels channels, String nowSql) {
        this.connections = connections;
        this.channels = channels;
        PostgresSql sql = new PostgresSql(nowSql);
        this.several = new PostgresMultiWrite(connections, channels, sql);
        this.refusals = new RefusedWrites(connections);
        for (int events = 0; events <= PostgresSql.MOST_EVENTS; events++) {
            for (int timed = 0; timed < 2; timed++) {
                update[events][timed][0] = sql.update(timed == 1, false, events);
                update[events][timed][1] = sql.update(timed == 1, true, events);
                updateAndTell[events][timed][0] = sql.updateAndTell(timed == 1, false, events);
                updateAndTell[events][timed][1] = sql.updateAndTell(timed == 1, true, events);
            }
            replaceIdle[events] = sql.replaceIdle(events);
            insert[events] = sql.insert(events);
        }
    }

    @Override
    public List<WriteResult> write(Session session, List<Write> writes) throws SQLException {
        Map<RecordKey, WriteResult> results = new HashMap<>(writes.size() * 2);
        List<PostgresRow> rows = new ArrayList<>(writes.size());
        List<Write> deletes = new ArrayList<>(0);
        for (Write write : writes) {
            if (write.record().isPresent()) {
                rows.add(new PostgresRow(write, write.record().get()));
            } else {
                deletes.add(write);
            }
        }
        connections.begin(session);
        if (!rows.isEmpty()) {
            put(session, rows, results);
        }
        if (!deletes.isEmpty()) {
            delete(session, deletes, !rows.isEmpty(), results);
        }
        if (connections.pooled()) {
            session.commit();
        }
        refusals.judge(session, writes, results);
        return writes.stream().map(write -> result(results, write.key())).toList();
    }

    private static WriteResult result(Map<RecordKey, WriteResult> results, RecordKey key) {
        WriteResult result = results.get(key);
        if (result == null) {
            throw new IllegalStateException("no result for " + key);
        }
        return result;
    }

    // ---- records

    private void put(Session session, List<PostgresRow> rows, Map<RecordKey, WriteResult> results) throws SQLException {
        if (rows.size() == 1 && isPlain(rows.get(0).write())) {
            putOne(session, rows.get(0), results);
        } else {
            rows.sort(BY_KEY);
            several.write(session, rows, results);
        }
    }

    /** Whether the form for one record can do it. */
    private static boolean isPlain(Write write) {
        Watchable.Wake wake = write.wake();
        boolean tellsOne = wake.engines().size() + (wake.everybody() ? 1 : 0) == 1;
        return write.events().size() <= PostgresSql.MOST_EVENTS
                && (wake.isNobody() || (tellsOne && write.precondition() instanceof Precondition.Stamped));
    }

    private void putOne(Session session, PostgresRow row, Map<RecordKey, WriteResult> results) throws SQLException {
        Precondition precondition = row.write().precondition();
        Optional<WriteResult> result = precondition instanceof Precondition.IdleBelow idle
                        && idle.leases().size() <= 1
                ? replaceIdle(session, row, idle)
                : change(session, row);
        result.ifPresent(became -> results.put(row.record().key(), became));
    }

    private Optional<WriteResult> replaceIdle(Session session, PostgresRow row, Precondition.IdleBelow idle)
            throws SQLException {
        List<LockEvent> events = row.write().events();
        PreparedStatement statement = session.prepare(replaceIdle[events.size()]);
        int next = PostgresRow.set(statement, 1, row.values(), PostgresSql.LOCK_NUMBERS);
        LockRows.setKey(statement, next, row.record().key());
        statement.setLong(next + 2, idle.token().value());
        statement.setString(next + 3, PostgresRow.mark(idle));
        setEvents(statement, next + 4, events);
        try (ResultSet written = connections.run(session, statement)) {
            return written.next() ? Optional.of(row.applied(written.getString(1))) : Optional.empty();
        }
    }

    /** Updates or inserts; empty if it was refused and what is there has to be read. */
    private Optional<WriteResult> change(Session session, PostgresRow row) throws SQLException {
        List<LockEvent> events = row.write().events();
        List<PostgresChannels.Notice> notices = channels.notices(row.write());
        PreparedStatement statement;
        int next;
        if (row.expected().isPresent()) {
            String notBefore = row.notBefore();
            int withPast = row.write().samePast() ? 0 : 1;
            String[][][] form = notices.isEmpty() ? update : updateAndTell;
            statement = session.prepare(form[events.size()][notBefore == null ? 0 : 1][withPast]);
            next = row.setUpdated(statement);
            LockRows.setKey(statement, next, row.record().key());
            statement.setLong(next + 2, row.expected().get().stamp().value());
            next += 3;
            if (notBefore != null) {
                statement.setString(next++, notBefore);
            }
        } else {
            statement = session.prepare(insert[events.size()]);
            next = PostgresRow.set(statement, 1, row.values(), PostgresSql.LOCK_NUMBERS);
        }
        next = setEvents(statement, next, events);
        if (!notices.isEmpty()) {
            statement.setString(next, notices.get(0).channel());
            statement.setString(next + 1, notices.get(0).payload());
            LockRows.setKey(statement, next + 2, row.record().key());
            try (ResultSet told = connections.run(session, statement)) {
                return told.next() ? told(row, told) : Optional.empty();
            }
        }
        int count = connections.pooled() ? statement.executeUpdate() : session.updateAndCommit(statement);
        return count == 0 ? Optional.empty() : Optional.of(WriteResult.Applied.PLAIN);
    }

    /** What a statement answered that tells others: nothing of a record, or the one that was there when it began. */
    private static Optional<WriteResult> told(PostgresRow row, ResultSet told) throws SQLException {
        if (told.getString(2) == null) {
            return Optional.of(WriteResult.Applied.PLAIN);
        }
        // If it is what was expected, it was changed meanwhile, or it is too early.
        boolean changed =
                told.getLong(3) != row.expected().orElseThrow().stamp().value();
        return changed ? Optional.of(RefusedWrites.refused(told)) : Optional.empty();
    }

    private static int setEvents(PreparedStatement statement, int first, List<LockEvent> events) throws SQLException {
        int next = first;
        for (LockEvent event : events) {
            next = PostgresRow.set(statement, next, PostgresRow.event(event), PostgresSql.EVENT_NUMBERS);
        }
        return next;
    }

    /** A second statement, if there were other writes: should it fail, they are not undone. */
    private void delete(Session session, List<Write> deletes, boolean second, Map<RecordKey, WriteResult> results)
            throws SQLException {
        try {
            delete(session, deletes, results);
        } catch (SQLException e) {
            if (second && !connections.pooled()) {
                throw new OutcomeUnknownException(
                        "Of several writes some were made before this happened: " + e.getMessage() + "; read again", e);
            }
            throw e;
        }
    }

    private void delete(Session session, List<Write> deletes, Map<RecordKey, WriteResult> results) throws SQLException {
        List<String> namespaces = new ArrayList<>(deletes.size());
        List<String> names = new ArrayList<>(deletes.size());
        List<Long> stamps = new ArrayList<>(deletes.size());
        Map<Long, RecordKey> byStamp = new HashMap<>(deletes.size() * 2);
        for (Write delete : deletes) {
            if (delete.precondition() instanceof Precondition.Stamped stamped) {
                namespaces.add(delete.key().namespace());
                names.add(delete.key().name());
                stamps.add(stamped.stamp().value());
                byStamp.put(stamped.stamp().value(), delete.key());
            }
        }
        Connection connection = session.connection();
        PreparedStatement statement = session.prepare(PostgresSql.DELETE);
        statement.setArray(1, connection.createArrayOf("text", namespaces.toArray()));
        statement.setArray(2, connection.createArrayOf("text", names.toArray()));
        statement.setArray(3, connection.createArrayOf("int8", stamps.toArray()));
        try (ResultSet deleted = connections.run(session, statement)) {
            while (deleted.next()) {
                RecordKey key = byStamp.get(deleted.getLong(1));
                if (key != null) {
                    results.put(key, WriteResult.Applied.PLAIN);
                }
            }
        }
    }
}
