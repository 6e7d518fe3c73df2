package dev.holdfast.jdbc.store;

import dev.holdfast.jdbc.connection.ServerFailures;
import dev.holdfast.jdbc.connection.Session;
import dev.holdfast.jdbc.table.LockRows;
import dev.holdfast.model.RecordKey;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one row that somebody else's transaction has locked from holding up the others of its batch. A batch that ran into
 * one is sent again row by row; from then on that row is only looked at, without waiting, until it is free.
 */
final class LockedRows implements Batch {
    /** Nobody locks more of our rows than this by accident; beyond it, each costs its wait again. */
    private static final int REMEMBERED = 1_000;

    private static final String LOOK = "select 1 from holdfast_lock where namespace = ? and name = ? for update nowait";

    private final ServerFailures failures;
    private final Batch batch;
    private final Set<RecordKey> locked = new LinkedHashSet<>();
    private volatile boolean anyLocked;

    LockedRows(ServerFailures failures, Batch batch) {
        this.failures = failures;
        this.batch = batch;
    }

    @Override
    public List<WriteResult> write(Session session, List<Write> writes) throws SQLException {
        return anyLocked ? writeAround(session, writes) : writeOrSplit(session, writes);
    }

    private List<WriteResult> writeOrSplit(Session session, List<Write> writes) throws SQLException {
        try {
            return batch.write(session, writes);
        } catch (SQLException e) {
            if (!failures.isLocked(e)) {
                throw e;
            }
            session.recover();
            return writes.size() == 1 ? List.of(lockedNow(writes.get(0), e)) : oneByOne(session, writes);
        }
    }

    private List<WriteResult> oneByOne(Session session, List<Write> writes) throws SQLException {
        List<WriteResult> results = new ArrayList<>(writes.size());
        for (Write write : writes) {
            results.add(alone(session, write, results));
        }
        return results;
    }

    /** What went before is stored: from here on a failure is this write's own, unless it is in doubt. */
    private WriteResult alone(Session session, Write write, List<WriteResult> before) throws SQLException {
        try {
            return batch.write(session, List.of(write)).get(0);
        } catch (SQLException e) {
            if (failures.isLocked(e)) {
                session.recover();
                return lockedNow(write, e);
            }
            if (before.isEmpty() || (session.failedInCommit() && failures.mayHaveCommitted(e))) {
                throw e;
            }
            return new WriteResult.Failed(failures.of("writing", e));
        }
    }

    /** Those known to be locked are asked about first, and left out if they still are. */
    private List<WriteResult> writeAround(Session session, List<Write> writes) throws SQLException {
        WriteResult[] results = new WriteResult[writes.size()];
        List<Write> others = new ArrayList<>(writes.size());
        List<Integer> places = new ArrayList<>(writes.size());
        for (int i = 0; i < results.length; i++) {
            StoreException why =
                    isKnown(writes.get(i).key()) ? look(session, writes.get(i).key()) : null;
            if (why != null) {
                results[i] = new WriteResult.Failed(why);
            } else {
                others.add(writes.get(i));
                places.add(i);
            }
        }
        List<WriteResult> written = others.isEmpty() ? List.of() : writeOrSplit(session, others);
        for (int i = 0; i < written.size(); i++) {
            results[places.get(i)] = written.get(i);
        }
        return List.of(results);
    }

    /** Why the row cannot be written; null if it can. */
    private @Nullable StoreException look(Session session, RecordKey key) throws SQLException {
        PreparedStatement statement = session.prepare(LOOK);
        LockRows.setKey(statement, 1, key);
        try {
            statement.executeQuery().close();
            session.recover(); // lets go of the row where this began a transaction
            forget(key);
            return null;
        } catch (SQLException e) {
            if (!failures.isLocked(e)) {
                throw e;
            }
            session.recover();
            return failures.of("writing lock '" + key.name() + "'", e);
        }
    }

    private synchronized WriteResult lockedNow(Write write, SQLException e) {
        if (locked.size() < REMEMBERED) {
            locked.add(write.key());
        }
        anyLocked = true;
        return new WriteResult.Failed(failures.of("writing lock '" + write.key().name() + "'", e));
    }

    private synchronized boolean isKnown(RecordKey key) {
        return locked.contains(key);
    }

    private synchronized void forget(RecordKey key) {
        locked.remove(key);
        anyLocked = !locked.isEmpty();
    }
}
