package dev.holdfast.jdbc.sqlite;

import dev.holdfast.jdbc.connection.Session;
import dev.holdfast.jdbc.table.EventRows;
import dev.holdfast.jdbc.table.LockRows;
import dev.holdfast.jdbc.table.Utc;
import dev.holdfast.model.EndedLeases;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockEvent;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.Past;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Stamp;
import dev.holdfast.spi.PastJson;
import dev.holdfast.spi.Precondition;
import dev.holdfast.spi.RecordText;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.spi.Versioned;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import java.io.IOException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A batch in one transaction: the time first, which takes the write lock; one statement for each row, whose condition is
 * part of it; the events of those that were applied; one commit, one fsync. A row is read only if it was refused.
 */
final class SqliteBatch {
    private static final String INSERT = "insert into holdfast_lock (namespace, name, "
            + String.join(", ", LockRows.COLUMNS) + ") values (?, ?" + ", ?".repeat(LockRows.COLUMNS.size()) + ")";
    private static final String INSERT_ABSENT = INSERT + " on conflict (namespace, name) do nothing";

    private static final String REPLACE_IDLE = INSERT + " on conflict (namespace, name) do update set "
            + LockRows.COLUMNS.stream()
                    .filter(column -> !column.equals("past"))
                    .map(column -> column + " = excluded." + column)
                    .collect(Collectors.joining(", "))
            + " where busy = 0 and fence < ? and format <= " + LockRecord.FORMAT + " and ";
    private static final String REPLACE_IDLE_FOR_ONE = REPLACE_IDLE + "instr(past, ?) = 0 returning past";
    private static final String REPLACE_IDLE_FOR_MANY =
            REPLACE_IDLE + "not exists (select 1 from json_each(?) where instr(past, value) > 0) returning past";

    private static final String OF_STAMP = " where namespace = ? and name = ? and stamp = ?";
    private static final String UPDATE =
            "update holdfast_lock set " + String.join(" = ?, ", LockRows.COLUMNS) + " = ?" + OF_STAMP;
    private static final String UPDATE_SAME_PAST = UPDATE.replace(", past = ?", "");
    private static final String DELETE = "delete from holdfast_lock" + OF_STAMP;

    private final SqliteClock clock;
    private final LockRows locks;
    private volatile Instant stored = Instant.EPOCH;

    SqliteBatch(SqliteClock clock) {
        this.locks = new LockRows(Utc.COLUMN);
        this.clock = clock;
    }

    SqliteClock clock() {
        return clock;
    }

    LockRows locks() {
        return locks;
    }

    /** The time that was stored with the last batch. */
    Instant stored() {
        return stored;
    }

    /** Writes them; what was decided anew under the lock takes the place of what it stands for. */
    List<WriteResult> write(Session session, List<Write> writes) throws SQLException {
        boolean storesTime = !clock.time().isBefore(stored.plus(clock.mayLag()));
        Instant now = storesTime ? clock.begin(session) : clock.time();
        List<WriteResult> results = new ArrayList<>(writes.size());
        List<LockEvent> happened = new ArrayList<>(writes.size());
        boolean changed = false;
        for (int i = 0; i < writes.size(); i++) {
            WriteResult result = write(session, writes.get(i), now, writes.size());
            if (result instanceof WriteResult.Refused refused) {
                Optional<Write> instead = writes.get(i).again().flatMap(again -> again.on(refused.current()));
                if (instead.isPresent()) { // nobody else writes before we commit, so this one fits
                    writes.set(i, instead.get());
                    result = write(session, instead.get(), now, writes.size());
                }
            }
            results.add(result);
            if (result instanceof WriteResult.Applied) {
                changed = true;
                happened.addAll(writes.get(i).events());
            }
        }
        if (changed) {
            EventRows.insert(session, happened);
            session.commit();
            stored = storesTime ? now : stored;
        } else {
            session.rollback(); // nothing to make durable, so no fsync
        }
        return results;
    }

    private WriteResult write(Session session, Write write, Instant now, int together) throws SQLException {
        try {
            Precondition precondition = write.precondition();
            if (precondition instanceof Precondition.Stamped stamped) {
                return ifStamped(session, write, stamped, now);
            }
            LockRecord record = write.record().orElseThrow();
            return precondition instanceof Precondition.IdleBelow idle
                    ? ifIdle(session, record, write.text(), idle, together)
                    : ifAbsent(session, record, write.text());
        } catch (StoreUnusableException e) {
            return new WriteResult.Failed(e); // a record that cannot be read fails its own write, not the others
        }
    }

    private WriteResult ifAbsent(Session session, LockRecord record, RecordText text) throws SQLException {
        PreparedStatement statement = session.prepare(INSERT_ABSENT);
        LockRows.setKey(statement, 1, record.key());
        locks.set(statement, 3, record, text);
        return statement.executeUpdate() == 1 ? WriteResult.Applied.PLAIN : refused(session, record.key());
    }

    private WriteResult ifIdle(
            Session session, LockRecord record, RecordText text, Precondition.IdleBelow idle, int together)
            throws SQLException {
        boolean one = idle.leases().size() == 1;
        PreparedStatement statement = session.prepare(one ? REPLACE_IDLE_FOR_ONE : REPLACE_IDLE_FOR_MANY);
        LockRows.setKey(statement, 1, record.key());
        int next = locks.set(statement, 3, record, text);
        statement.setLong(next++, idle.token().value());
        statement.setString(next, one ? EndedLeases.mark(idle.leases().get(0)) : marks(idle.leases()));
        String past;
        try (ResultSet row = statement.executeQuery()) {
            past = row.next() ? row.getString(1) : null;
        }
        if (past == null) {
            return refused(session, record.key());
        }
        return past.isEmpty() && record.past().equals(Past.NONE)
                ? WriteResult.Applied.PLAIN
                : new WriteResult.Applied("", Optional.of(read(record.key(), past, together)));
    }

    /** The marks of these leases as a JSON array; their digits need no escapes. */
    private static String marks(List<LeaseId> leases) {
        return leases.stream()
                .map(lease -> '"' + EndedLeases.mark(lease) + '"')
                .collect(Collectors.joining(",", "[", "]"));
    }

    /** The row is replaced already, so it must be rolled back, and with it the others: they are asked to come again. */
    private static Past read(RecordKey key, String past, int together) {
        try {
            return PastJson.read(past);
        } catch (IOException | IllegalArgumentException e) {
            String said = "What lock '" + key.name() + "' in '" + key.namespace() + "' remembers cannot be read ("
                    + e.getMessage() + "). It was not touched; restore its column 'past' from a backup, or"
                    + " empty it when no late duplicate of a request can come";
            throw together == 1 ? new StoreUnusableException(said, e) : new StoreUnavailableException(said, e);
        }
    }

    private WriteResult ifStamped(Session session, Write write, Precondition.Stamped stamped, Instant now)
            throws SQLException {
        if (stamped.notBefore().isPresent() && now.isBefore(stamped.notBefore().get())) {
            Optional<Versioned> current = locks.read(session, write.key());
            boolean ours = current.isPresent() && current.get().record().stamp().equals(stamped.stamp());
            return ours ? new WriteResult.TooEarly() : new WriteResult.Refused(current);
        }
        boolean done = write.record().isPresent()
                ? update(session, write.record().get(), write.text(), stamped.stamp(), write.samePast())
                : delete(session, write.key(), stamped.stamp());
        return done ? WriteResult.Applied.PLAIN : refused(session, write.key());
    }

    boolean update(Session session, LockRecord record, RecordText text, Stamp expected, boolean samePast)
            throws SQLException {
        PreparedStatement statement = session.prepare(samePast ? UPDATE_SAME_PAST : UPDATE);
        int next = samePast ? locks.setAllButPast(statement, 1, record, text) : locks.set(statement, 1, record, text);
        LockRows.setKey(statement, next, record.key());
        statement.setLong(next + 2, expected.value());
        return statement.executeUpdate() == 1;
    }

    private static boolean delete(Session session, RecordKey key, Stamp expected) throws SQLException {
        return session.update(DELETE, key.namespace(), key.name(), expected.value()) == 1;
    }

    private WriteResult refused(Session session, RecordKey key) throws SQLException {
        return new WriteResult.Refused(locks.read(session, key));
    }
}
