package dev.holdfast.testkit.simulation;

import dev.holdfast.model.LockRecord;
import dev.holdfast.model.RecordKey;
import dev.holdfast.spi.Precondition;
import dev.holdfast.spi.Versioned;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The simulated store itself: records, compare-and-set, and a clock of its own that may step. */
class SimServer {
    private static final Instant START = Instant.ofEpochSecond(1_790_000_000L);

    private final World world;
    private final Checker checker;
    private final Map<RecordKey, LockRecord> records = new LinkedHashMap<>();
    private final Map<RecordKey, ReplacedRecord> before = new LinkedHashMap<>();
    private final double rate;
    private long offset;

    /**
     * Where a store stands: its time, and who watches it.
     *
     * @param world virtual time and chance
     * @param checker told of every write
     */
    record Place(World world, Checker checker) {}

    SimServer(Place place) {
        this.world = place.world();
        this.checker = place.checker();
        this.rate = 1 + world.chance.nextDouble(-Node.MAX_DRIFT, Node.MAX_DRIFT);
    }

    Map<RecordKey, LockRecord> records() {
        return records;
    }

    Optional<Versioned> read(RecordKey key) {
        return Optional.ofNullable(records.get(key)).map(Versioned::of);
    }

    /** What a refusal may show when it comes from a snapshot taken at {@code since}, just before another's write. */
    Optional<Versioned> readOld(RecordKey key, long since) {
        ReplacedRecord old = before.get(key);
        return old != null && old.at() >= since ? Optional.of(Versioned.of(old.record())) : read(key);
    }

    private record ReplacedRecord(LockRecord record, long at) {}

    Instant clock() {
        long nanos = (long) (world.now() * rate) + offset;
        return START.plusNanos(nanos / 1_000 * 1_000);
    }

    void stepClock(long by) {
        offset += by;
        world.trace(() -> "store clock steps by " + by / 1_000_000 + " ms");
    }

    WriteResult write(Write write) {
        LockRecord current = records.get(write.key());
        if (current == null && write.precondition() instanceof Precondition.Stamped) {
            return new WriteResult.Refused(Optional.empty());
        }
        if (current != null && write.precondition() instanceof Precondition.Stamped stamped) {
            if (!stampMatches(current, stamped)) {
                return new WriteResult.Refused(Optional.of(Versioned.of(current)));
            }
            if (stamped.notBefore().filter(clock()::isBefore).isPresent()) {
                return new WriteResult.TooEarly();
            }
        }
        LockRecord next = write.record().orElse(null);
        WriteResult result = WriteResult.Applied.PLAIN;
        if (current != null && !(write.precondition() instanceof Precondition.Stamped)) {
            if (next == null
                    || !(write.precondition() instanceof Precondition.IdleBelow idle)
                    || !idle.isMetBy(current)) {
                return new WriteResult.Refused(Optional.of(Versioned.of(current)));
            }
            next = next.withPast(current.past());
            result = new WriteResult.Applied("", Optional.of(current.past()));
        }
        if (next != null && current != null && write.samePast()) {
            next = next.withPast(current.past()); // left as it is, whatever was sent
        }
        store(write.key(), current, next);
        return result;
    }

    private void store(RecordKey key, @Nullable LockRecord current, @Nullable LockRecord next) {
        if (current != null) {
            before.put(key, new ReplacedRecord(current, world.now()));
        }
        LockRecord kept = next == null ? null : stored(next);
        if (kept == null) {
            records.remove(key);
        } else {
            records.put(key, kept);
        }
        checker.written(
                current == null ? LockRecord.empty(key) : current,
                kept == null ? LockRecord.empty(key) : kept,
                clock());
    }

    /** Whether the compare-and-set finds what it expects. A planted bug may say otherwise. */
    boolean stampMatches(LockRecord current, Precondition.Stamped expected) {
        return current.stamp().equals(expected.stamp());
    }

    /** What is kept of a record that was written; null to keep nothing. A planted bug may lose some. */
    @Nullable LockRecord stored(LockRecord next) {
        return next;
    }
}
