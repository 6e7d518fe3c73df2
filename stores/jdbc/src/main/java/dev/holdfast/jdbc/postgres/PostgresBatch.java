package dev.holdfast.jdbc.postgres;

import dev.holdfast.jdbc.connection.Session;
import dev.holdfast.jdbc.store.Batch;
import dev.holdfast.jdbc.table.LockRows;
import dev.holdfast.model.LockEvent;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.Past;
import dev.holdfast.model.RecordKey;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.PastJson;
import dev.holdfast.spi.Precondition;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.spi.Versioned;
import dev.holdfast.spi.Watchable;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import java.io.IOException;
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
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A batch in one statement, and so in one round trip and one commit. Only what was refused is read, with a second one: a
 * statement does not see what others commit while it runs.
 */
final class PostgresBatch implements Batch {
    private static final Comparator<PostgresRow> BY_KEY =
            (one, other) -> one.record.key().compareTo(other.record.key());

    private final PostgresConnections connections;
    private final PostgresChannels channels;
    private final PostgresSql sql;

    // each text once; building them is not free
    private final Map<PostgresSql.Shape, String> batch = new ConcurrentHashMap<>();
    private final String[][][] update = new String[PostgresSql.MOST_EVENTS + 1][2][2];
    private final String[][][] updateAndTell = new String[PostgresSql.MOST_EVENTS + 1][2][2];
    private final String[] replaceIdle = new String[PostgresSql.MOST_EVENTS + 1];
    private final String[] insert = new String[PostgresSql.MOST_EVENTS + 1];

    PostgresBatch(PostgresConnections connections, PostgresChannels channels, String nowSql) {
        this.connections = connections;
        this.channels = channels;
        this.sql = new PostgresSql(nowSql);
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
        judgeRefused(session, writes, results);
        return writes.stream().map(write -> result(results, write.key())).toList();
    }

    private static WriteResult result(Map<RecordKey, WriteResult> results, RecordKey key) {
        WriteResult result = results.get(key);
        if (result == null) {
            throw new IllegalStateException("no result for " + key);
        }
        return result;
    }

    private ResultSet run(Session session, PreparedStatement statement) throws SQLException {
        return connections.pooled() ? statement.executeQuery() : session.executeAndCommit(statement);
    }

    // ---- records

    private void put(Session session, List<PostgresRow> rows, Map<RecordKey, WriteResult> results) throws SQLException {
        if (rows.size() == 1 && isPlain(rows.get(0).write)) {
            putOne(session, rows.get(0), results);
        } else {
            rows.sort(BY_KEY);
            putAll(session, rows, results);
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
        Precondition precondition = row.write.precondition();
        if (precondition instanceof Precondition.IdleBelow idle && idle.leases().size() <= 1) {
            replaceIdle(session, row, idle).ifPresent(result -> results.put(row.record.key(), result));
        } else {
            change(session, row).ifPresent(result -> results.put(row.record.key(), result));
        }
    }

    private Optional<WriteResult> replaceIdle(Session session, PostgresRow row, Precondition.IdleBelow idle)
            throws SQLException {
        List<LockEvent> events = row.write.events();
        PreparedStatement statement = session.prepare(replaceIdle[events.size()]);
        int next = PostgresRow.set(statement, 1, row.values(), PostgresSql.LOCK_NUMBERS);
        LockRows.setKey(statement, next, row.record.key());
        statement.setLong(next + 2, idle.token().value());
        statement.setString(next + 3, PostgresRow.mark(idle));
        setEvents(statement, next + 4, events);
        try (ResultSet written = run(session, statement)) {
            return written.next() ? Optional.of(applied(row.record, written.getString(1))) : Optional.empty();
        }
    }

    /** Updates or inserts; empty if it was refused and what is there has to be read. */
    private Optional<WriteResult> change(Session session, PostgresRow row) throws SQLException {
        List<LockEvent> events = row.write.events();
        List<PostgresChannels.Notice> notices = channels.notices(row.write);
        PreparedStatement statement;
        int next;
        if (row.expected().isPresent()) {
            String notBefore = row.notBefore();
            int withPast = row.write.samePast() ? 0 : 1;
            String[][][] form = notices.isEmpty() ? update : updateAndTell;
            statement = session.prepare(form[events.size()][notBefore == null ? 0 : 1][withPast]);
            next = row.setUpdated(statement);
            LockRows.setKey(statement, next, row.record.key());
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
            LockRows.setKey(statement, next + 2, row.record.key());
            try (ResultSet told = run(session, statement)) {
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
        return changed ? Optional.of(refused(told)) : Optional.empty();
    }

    private static int setEvents(PreparedStatement statement, int first, List<LockEvent> events) throws SQLException {
        int next = first;
        for (LockEvent event : events) {
            next = PostgresRow.set(statement, next, PostgresRow.event(event), PostgresSql.EVENT_NUMBERS);
        }
        return next;
    }

    private void putAll(Session session, List<PostgresRow> rows, Map<RecordKey, WriteResult> results)
            throws SQLException {
        List<PostgresRow> updates = new ArrayList<>(rows.size());
        List<@Nullable Object[]> carried = new ArrayList<>(rows.size()); // of the updates
        boolean timed = false;
        boolean carries = false;
        List<PostgresRow> inserts = new ArrayList<>(0);
        List<Long> owners = new ArrayList<>(0);
        List<@Nullable Object[]> events = new ArrayList<>(0);
        List<Long> wakes = new ArrayList<>(0);
        List<PostgresChannels.Notice> notices = new ArrayList<>(0);
        Map<Long, PostgresRow> byStamp = new HashMap<>(rows.size() * 2);
        for (PostgresRow row : rows) {
            Long stamp = row.record.stamp().value();
            byStamp.put(stamp, row);
            boolean update = row.expected().isPresent();
            boolean carry = update && row.write.events().size() == 1;
            if (update) {
                updates.add(row);
                timed |= row.notBefore() != null;
                carried.add(carry ? PostgresRow.event(row.write.events().get(0)) : PostgresRow.NO_EVENT);
                carries |= carry;
            } else {
                inserts.add(row);
            }
            for (LockEvent event : carry ? List.<LockEvent>of() : row.write.events()) {
                owners.add(stamp);
                events.add(PostgresRow.event(event));
            }
            for (PostgresChannels.Notice notice : channels.notices(row.write)) {
                wakes.add(stamp);
                notices.add(notice);
            }
        }
        PostgresSql.Shape shape = new PostgresSql.Shape(
                !updates.isEmpty(), timed, carries, !inserts.isEmpty(), !events.isEmpty(), !wakes.isEmpty());
        PreparedStatement statement = session.prepare(batch.computeIfAbsent(shape, sql::batch));
        PostgresRow.Arrays set = new PostgresRow.Arrays(session.connection(), statement);
        if (shape.updates()) {
            set.columns(values(updates), PostgresSql.LOCK_NUMBERS, PostgresSql.UPDATED);
            Long[] stamps = new Long[updates.size()];
            @Nullable String[] times = new String[stamps.length];
            for (int i = 0; i < stamps.length; i++) {
                stamps[i] = updates.get(i).expected().orElseThrow().stamp().value();
                times[i] = updates.get(i).notBefore();
            }
            set.numbers(stamps);
            if (timed) {
                set.texts(times);
            }
            if (carries) {
                set.columns(carried, PostgresSql.EVENT_NUMBERS, PostgresSql.CARRIED);
            }
        }
        if (shape.inserts()) {
            set.columns(values(inserts), PostgresSql.LOCK_NUMBERS);
        }
        if (shape.events()) {
            set.numbers(owners.toArray(Long[]::new));
            set.columns(events, PostgresSql.EVENT_NUMBERS);
        }
        if (shape.wakes()) {
            set.numbers(wakes.toArray(Long[]::new));
            set.texts(notices.stream().map(PostgresChannels.Notice::channel).toArray(String[]::new));
            set.texts(notices.stream().map(PostgresChannels.Notice::payload).toArray(String[]::new));
        }
        try (ResultSet written = run(session, statement)) {
            while (written.next()) {
                PostgresRow row = byStamp.get(written.getLong(1));
                if (row != null) {
                    results.put(row.record.key(), applied(row.record, written.getString(2)));
                }
            }
        }
    }

    private static List<@Nullable Object[]> values(List<PostgresRow> rows) {
        List<@Nullable Object[]> values = new ArrayList<>(rows.size());
        for (PostgresRow row : rows) {
            values.add(row.values());
        }
        return values;
    }

    /** @param past what the row remembers, if it was to be kept */
    private static WriteResult applied(LockRecord record, @Nullable String past) {
        if (past == null || (past.isEmpty() && record.past().equals(Past.NONE))) {
            return WriteResult.Applied.PLAIN;
        }
        return new WriteResult.Applied("", Optional.of(read(record.key(), past)));
    }

    /** It is written already, so what cannot be read is only forgotten here: the row still has it. */
    private static Past read(RecordKey key, String past) {
        try {
            return PastJson.read(past);
        } catch (IOException | IllegalArgumentException e) {
            throw new OutcomeUnknownException(
                    "Lock '" + key.name() + "' in '" + key.namespace()
                            + "' was written, but what it remembers cannot be"
                            + " read (" + e.getMessage() + "); empty its column 'past' when no late duplicate of a"
                            + " request can come",
                    e);
        }
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
        if (stamps.isEmpty()) {
            return;
        }
        Connection connection = session.connection();
        PreparedStatement statement = session.prepare(PostgresSql.DELETE);
        statement.setArray(1, connection.createArrayOf("text", namespaces.toArray()));
        statement.setArray(2, connection.createArrayOf("text", names.toArray()));
        statement.setArray(3, connection.createArrayOf("int8", stamps.toArray()));
        try (ResultSet deleted = run(session, statement)) {
            while (deleted.next()) {
                RecordKey key = byStamp.get(deleted.getLong(1));
                if (key != null) {
                    results.put(key, WriteResult.Applied.PLAIN);
                }
            }
        }
    }

    // ---- what was refused

    /** The writes are committed: if this fails, only those refused are in need of another try. */
    private void judgeRefused(Session session, List<Write> writes, Map<RecordKey, WriteResult> results) {
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

    private static WriteResult refused(ResultSet row) throws SQLException {
        try {
            return new WriteResult.Refused(Optional.of(Versioned.of(LockRows.record(row))));
        } catch (StoreUnusableException e) {
            return new WriteResult.Failed(e);
        }
    }
}
