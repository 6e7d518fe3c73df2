package dev.holdfast.model;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything known about one lock: who holds it, who waits, and the last token. The unit of compare-and-set: it is read
 * whole, changed by {@code LockRules}, and written whole if its {@link #stamp()} is still the one that was read.
 *
 * @param format the layout it was written in; a newer one than {@link #FORMAT} is shown but never written
 * @param key its name
 * @param stamp unique per write
 * @param fence the last token given out; never goes back
 * @param holds the holders, oldest grant first; expired ones stay until the record is next judged
 * @param queue the waiters, first come first
 * @param alive until when each engine with waiters here is taken for alive
 * @param past ended leases and the once-only marker
 * @param extras fields of the stored document this version does not know, kept as they came (name to JSON text)
 */
public record LockRecord(
        int format,
        RecordKey key,
        Stamp stamp,
        Token fence,
        List<Hold> holds,
        List<Waiter> queue,
        Map<EngineId, Instant> alive,
        Past past,
        Map<String, String> extras) {
    /** The layout this version writes. */
    public static final int FORMAT = 1;

    /** Most holds of a record (shared and permit holders, and holders of different paths). */
    public static final int MAX_HOLDS = 1_000;

    /** Most stored waiters; more wait in their engine, in order, and move in as places free. */
    public static final int MAX_QUEUE = 64;

    /** Largest stored record in bytes. DynamoDB's item limit of 400 KB leaves room for the readable attributes. */
    public static final int MAX_BYTES = 256 * 1024;

    /** Takes copies, so that a record cannot change once made. */
    public LockRecord {
        holds = List.copyOf(holds);
        queue = List.copyOf(queue);
        alive = Map.copyOf(alive);
        extras = extras.isEmpty() ? Map.of() : Map.copyOf(extras);
    }

    /** The record of a lock nobody has used: what is assumed when the store has none. */
    public static LockRecord empty(RecordKey key) {
        return new LockRecord(FORMAT, key, Stamp.NONE, Token.NONE, List.of(), List.of(), Map.of(), Past.NONE, Map.of());
    }

    /** Nobody holds and nobody waits. */
    public boolean isIdle() {
        return holds.isEmpty() && queue.isEmpty();
    }

    /** Written by a newer version: readable as far as we understand it, never to be written by us. */
    public boolean isNewer() {
        return format > FORMAT;
    }

    /** The latest expiry in it; empty when nobody holds. */
    public Optional<Instant> busyUntil() {
        Instant latest = null;
        for (Hold hold : holds) {
            latest = latest == null ? hold.expiresAt() : Times.later(latest, hold.expiresAt());
        }
        return Optional.ofNullable(latest);
    }

    /** The hold of this acquisition. */
    public Optional<Hold> hold(LeaseId leaseId) {
        for (Hold hold : holds) {
            if (hold.leaseId().equals(leaseId)) {
                return Optional.of(hold);
            }
        }
        return Optional.empty();
    }

    /** The position in the queue, from 1; 0 when it does not wait. */
    public int position(LeaseId leaseId) {
        for (int i = 0; i < queue.size(); i++) {
            if (queue.get(i).leaseId().equals(leaseId)) {
                return i + 1;
            }
        }
        return 0;
    }

    /** The same content under another stamp. */
    public LockRecord stamped(Stamp other) {
        return new LockRecord(format, key, other, fence, holds, queue, alive, past, extras);
    }

    /** The same holders and waiters with the past the store had kept. */
    public LockRecord withPast(Past kept) {
        return new LockRecord(format, key, stamp, fence, holds, queue, alive, kept, extras);
    }
}
