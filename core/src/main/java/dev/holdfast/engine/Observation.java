package dev.holdfast.engine;

import dev.holdfast.model.EngineId;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.Times;
import dev.holdfast.rules.Moment;
import dev.holdfast.spi.MeasuredClock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Judges by watching where the clock cannot be believed: a hold that was seen unchanged for its whole lease on our own
 * monotonic clock has ended, whatever any wall clock says.
 */
final class Observation {
    /** Something last seen to change at a local time: its end, and when it was last renewed, as stored. */
    private record Seen(Instant end, Instant renewed, long since) {}

    private final Map<LeaseId, Seen> holds = new HashMap<>();
    private final Map<EngineId, Seen> engines = new HashMap<>();

    /** Takes note of a record that was just read. */
    void note(LockRecord record, long now) {
        Set<LeaseId> held = new HashSet<>();
        for (Hold hold : record.holds()) {
            held.add(hold.leaseId());
            note(holds, hold.leaseId(), hold.expiresAt(), hold.renewedAt(), now);
        }
        holds.keySet().retainAll(held);
        record.alive().forEach((engine, until) -> note(engines, engine, until, until, now));
        engines.keySet().retainAll(record.alive().keySet());
    }

    private static <K> void note(Map<K, Seen> all, K key, Instant end, Instant renewed, long now) {
        Seen before = all.get(key);
        if (before == null || !before.end().equals(end) || !before.renewed().equals(renewed)) {
            all.put(key, new Seen(end, renewed, now));
        }
    }

    /** The holds seen unchanged for their whole lease. */
    Set<Hold> outlived(LockRecord record, long now) {
        Set<Hold> found = new HashSet<>();
        for (Hold hold : record.holds()) {
            Seen seen = holds.get(hold.leaseId());
            boolean ends = !hold.expiresAt().equals(Times.NEVER);
            if (ends
                    && seen != null
                    && seen.end().equals(hold.expiresAt())
                    && seen.renewed().equals(hold.renewedAt())
                    && now - seen.since() > withDrift(lasts(hold))) {
                found.add(hold);
            }
        }
        return found;
    }

    /** A lingering hold lasts for its minimum hold, which may be longer than its lease. */
    private static Duration lasts(Hold hold) {
        Duration minHold = hold.terms().minHold();
        return minHold.compareTo(hold.terms().lease()) > 0
                ? minHold
                : hold.terms().lease();
    }

    /** The engines seen without a sign for as long as a sign counts. */
    Map<EngineId, Instant> silent(long now) {
        Map<EngineId, Instant> found = new HashMap<>();
        engines.forEach((engine, seen) -> {
            if (now - seen.since() > withDrift(Moment.ALIVE_FOR)) {
                found.put(engine, seen.end());
            }
        });
        return found;
    }

    private static long withDrift(Duration span) {
        return span.toNanos() + span.toNanos() / MeasuredClock.DRIFT * 2;
    }
}
