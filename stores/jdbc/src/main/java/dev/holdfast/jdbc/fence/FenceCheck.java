package dev.holdfast.jdbc.fence;

import dev.holdfast.Lease;
import dev.holdfast.jdbc.table.LockRows;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.Mode;
import dev.holdfast.model.Times;
import dev.holdfast.model.Token;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * One lease against the database where its lock is, in the caller's transaction.
 *
 * <p>Each part of a lock has a <em>gate</em>. A transaction locks the gates of what it holds, alone if the hold is exclusive,
 * else in share mode, and in share mode the gates of all that contains it, from the root on. So two transactions wait for
 * each other exactly if their holds overlap and one is exclusive, except for one case: a shared holder of a part above
 * and an exclusive holder below both only share the upper gate. Hence a part on which a shared holder has ever checked is
 * <em>marked</em>, and has a second lock, its <em>room</em>, shared by holders of the part itself and taken alone by exclusive
 * holders below. A part that is not marked costs its neighbours nothing.
 *
 * <p>Only then is the lock read for good: who was followed by another is gone from the record before the other could lock a gate.
 */
public final class FenceCheck {
    private final Connection connection;
    private final FenceDialect dialect;
    private final Lease lease;
    private final LockKey key;
    private final FenceRows rows;

    public FenceCheck(Connection connection, FenceDialect dialect, Lease lease) {
        this.connection = connection;
        this.dialect = dialect;
        this.lease = lease;
        this.key = lease.key();
        this.rows = new FenceRows(connection, key.record());
    }

    /** Ties the transaction to the lease; or tells why it may not commit. */
    public Optional<StaleLease> run() throws SQLException {
        dialect.begin(connection);
        Snapshot before = read();
        Optional<Hold> held = held(before);
        return held.isPresent() ? tie(held.get()) : Optional.of(stale(before));
    }

    private Optional<StaleLease> tie(Hold hold) throws SQLException {
        boolean exclusive = hold.scope().mode().kind() == Mode.Kind.EXCLUSIVE;
        if (dialect.locks()) {
            if (exclusive) {
                lockAlone(hold);
            } else {
                lockShared(hold);
            }
        }
        for (LockPath path : hold.scope().paths()) {
            if (exclusive) {
                rows.raise(dialect, path, hold.token());
            }
            Optional<Token> newer = rows.above(hold.token(), path);
            if (newer.isPresent()) {
                return Optional.of(StaleLease.fenced(key, hold.token(), newer.get()));
            }
        }
        Snapshot now = read(); // once more, now that nobody can come in between
        return held(now).isPresent() ? Optional.empty() : Optional.of(stale(now));
    }

    // ---- the order of transactions

    private void lockAlone(Hold hold) throws SQLException {
        SortedSet<String> above = new TreeSet<>();
        SortedMap<String, Boolean> gates = new TreeMap<>();
        for (LockPath path : hold.scope().paths()) {
            above.addAll(FenceRows.above(path));
            gates.put(path.value(), true);
        }
        above.forEach(path -> gates.put(path, false));
        dialect.lock(connection, key.record(), gates);
        SortedMap<String, Boolean> rooms = new TreeMap<>();
        for (String marked : rows.marked(above)) { // nobody marks a part while we are at its gate
            rooms.put(FenceRows.room(marked), true);
        }
        dialect.lock(connection, key.record(), rooms);
    }

    private void lockShared(Hold hold) throws SQLException {
        SortedSet<String> own = new TreeSet<>();
        SortedMap<String, Boolean> gates = new TreeMap<>();
        for (LockPath path : hold.scope().paths()) {
            FenceRows.above(path).forEach(above -> gates.put(above, false));
            own.add(path.value());
        }
        SortedSet<String> marked = rows.marked(own);
        own.forEach(path ->
                gates.put(path, !marked.contains(path))); // the first one is alone, for those who see no mark yet
        dialect.lock(connection, key.record(), gates);
        SortedMap<String, Boolean> rooms = new TreeMap<>();
        for (String path : own) {
            if (marked.contains(path)) {
                rooms.put(FenceRows.room(path), false);
            } else {
                rows.mark(dialect, path);
            }
        }
        dialect.lock(connection, key.record(), rooms);
    }

    // ---- the lock

    /** The lock, and the database's time when it was read. */
    private record Snapshot(LockRecord record, Instant time) {
        boolean isOver(Hold hold) {
            return time.isAfter(hold.expiresAt());
        }
    }

    private Optional<Hold> ours(LockRecord record) {
        return record.hold(lease.leaseId()).filter(hold -> hold.token().equals(lease.token()));
    }

    /** Our hold as the lock has it. One that is over by the database's clock counts as ended, though nobody has noted it yet. */
    private Optional<Hold> held(Snapshot found) {
        return ours(found.record()).filter(hold -> hold.isHeld() && !found.isOver(hold));
    }

    private StaleLease stale(Snapshot found) {
        LockRecord record = found.record();
        Optional<Hold> ours = ours(record);
        Optional<LostReason> ended = ours.isPresent()
                ? Optional.of(LostReason.RELEASED) // and in the way until its minimum is over
                : record.past().how(lease.leaseId());
        Optional<LostReason> how = ours.filter(found::isOver).isPresent() ? Optional.of(LostReason.EXPIRED) : ended;
        for (Hold other : record.holds()) {
            if (other.token().compareTo(lease.token()) > 0 && overlaps(other)) {
                return StaleLease.takenOver(key, lease.token(), how, other.owner(), other.token());
            }
        }
        return StaleLease.ended(key, lease.token(), how);
    }

    private boolean overlaps(Hold other) {
        return other.scope().paths().stream().anyMatch(path -> path.overlaps(key.path()));
    }

    private Snapshot read() throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(LockRows.oneWith(dialect.micros()))) {
            LockRows.setKey(statement, 1, key.record());
            try (ResultSet row = statement.executeQuery()) {
                if (row.next()) {
                    return new Snapshot(LockRows.record(row), Times.ofMicros(row.getLong(LockRows.WITH)));
                }
            }
        }
        throw new IllegalStateException("This database has no lock '" + key.name() + "' in '" + key.namespace()
                + "': it is not where the locks are, or the lease ended so long ago that its record was cleaned up."
                + " Roll back; for tables elsewhere use FencedUpdate");
    }
}
