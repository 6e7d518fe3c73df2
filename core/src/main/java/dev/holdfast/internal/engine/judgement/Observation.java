package dev.holdfast.internal.engine.judgement;

import dev.holdfast.internal.rules.Moment;
import dev.holdfast.model.EngineId;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.Terms;
import dev.holdfast.model.Times;
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
public final class Observation {
    /** Something last seen to change at a local time: its end, and when it was last renewed, as stored. */
    private record Sighting(Instant end, Instant renewed, long since) {}

    private final Judgement judgement;
    private final Map<LeaseId, Sighting> holds = new HashMap<>();
    private final Map<EngineId, Sighting> engines = new HashMap<>();

    public Observation(Judgement judgement) {
        this.judgement = judgement;
    }

    /** Takes note of a record that was just read. */
    public void note(LockRecord record, long now) {
        Set<LeaseId> held = new HashSet<>();
        for (Hold hold : record.holds()) {
            held.add(hold.leaseId());
            note(holds, hold.leaseId(), hold.expiresAt(), hold.renewedAt(), now);
        }
        holds.keySet().retainAll(held);
        record.alive().forEach((engine, until) -> note(engines, engine, until, until, now));
        engines.keySet().retainAll(record.alive().keySet());
    }

    private static <K> void note(Map<K, Sighting> all, K key, Instant end, Instant renewed, long now) {
        Sighting before = all.get(key);
        if (before == null || !before.end().equals(end) || !before.renewed().equals(renewed)) {
            all.put(key, new Sighting(end, renewed, now));
        }
    }

    /** The holds seen unchanged for their whole lease. */
    public Set<Hold> outlived(LockRecord record, long now) {
        Set<Hold> found = new HashSet<>();
        for (Hold hold : record.holds()) {
            Sighting seen = holds.get(hold.leaseId());
            boolean ends = !hold.expiresAt().equals(Times.NEVER);
            if (ends
                    && seen != null
                    && seen.end().equals(hold.expiresAt())
                    && seen.renewed().equals(hold.renewedAt())
                    && now - seen.since() > enough(lasts(hold))) {
                found.add(hold);
            }
        }
        return found;
    }

    /** A lingering hold lasts for its minimum hold, and some ends are rounded up: both may be longer than the lease. */
    private static Duration lasts(Hold hold) {
        Duration lease = longer(hold.terms().lease(), hold.terms().minHold());
        Duration asWritten = Duration.between(hold.renewedAt(), hold.expiresAt());
        return asWritten.compareTo(Terms.MAX_LEASE.plusSeconds(1)) > 0 ? lease : longer(lease, asWritten);
    }

    private static Duration longer(Duration a, Duration b) {
        return a.compareTo(b) > 0 ? a : b;
    }

    /** The engines seen without a sign for as long as a sign counts. */
    public Map<EngineId, Instant> silent(long now) {
        Map<EngineId, Instant> found = new HashMap<>();
        engines.forEach((engine, seen) -> {
            if (now - seen.since() > enough(Moment.ALIVE_FOR)) {
                found.put(engine, seen.end());
            }
        });
        return found;
    }

    private long enough(Duration span) {
        return judgement.watchFor(span).toNanos();
    }
}
