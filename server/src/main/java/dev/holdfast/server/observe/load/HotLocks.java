package dev.holdfast.server.observe.load;

import dev.holdfast.internal.engine.machine.EngineMeter;
import dev.holdfast.model.LockEvent;
import dev.holdfast.model.RecordKey;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * The locks this server had most to do with in the last minutes: what happened to each, and how often a write had to be made again
 * because another was faster. At most {@value #KEPT} are counted; of more, those that were used least are forgotten. Counts are halved
 * every minute, so what was long ago fades. Safe for any thread.
 */
public final class HotLocks implements EngineMeter {
    static final int KEPT = 1_000;
    private static final long HALVED_EVERY = Duration.ofMinutes(1).toNanos();

    private final LongSupplier nanos;
    private final Map<RecordKey, Count> counts = new HashMap<>();
    private long halvedAt;

    public HotLocks(LongSupplier nanos) {
        this.nanos = nanos;
        this.halvedAt = nanos.getAsLong();
    }

    private static final class Count {
        private double events;
        private double retries;

        private double all() {
            return events + retries;
        }
    }

    /**
     * How much one was used.
     *
     * @param events what happened to it: grants, releases, callers that queued, and so on
     * @param retries writes made again because another writer was faster, or the store failed
     */
    public record Hot(RecordKey key, long events, long retries) {}

    @Override
    public void happened(List<LockEvent> events) {
        synchronized (counts) {
            fade();
            for (LockEvent event : events) {
                of(event.key()).events++;
            }
        }
    }

    @Override
    public void retried(RecordKey key) {
        synchronized (counts) {
            fade();
            of(key).retries++;
        }
    }

    private Count of(RecordKey key) {
        if (counts.size() >= KEPT && !counts.containsKey(key)) {
            forgetHalf();
        }
        return counts.computeIfAbsent(key, it -> new Count());
    }

    /** At once, so that a crowd of new locks does not sort all of them each time. */
    private void forgetHalf() {
        List<RecordKey> least = counts.entrySet().stream()
                .sorted(Comparator.comparingDouble(entry -> entry.getValue().all()))
                .limit(KEPT / 2)
                .map(Map.Entry::getKey)
                .toList();
        least.forEach(counts::remove);
    }

    private void fade() {
        long passed = (nanos.getAsLong() - halvedAt) / HALVED_EVERY;
        if (passed <= 0) {
            return;
        }
        halvedAt += passed * HALVED_EVERY;
        double part = Math.pow(0.5, (double) passed);
        counts.values().removeIf(count -> {
            count.events *= part;
            count.retries *= part;
            return count.all() < 0.5;
        });
    }

    /** The most used, most used first. */
    public List<Hot> most(int limit) {
        synchronized (counts) {
            fade();
            return counts.entrySet().stream()
                    .sorted(Comparator.comparingDouble((Map.Entry<RecordKey, Count> entry) ->
                                    -entry.getValue().all())
                            .thenComparing(entry -> entry.getKey().toString()))
                    .limit(limit)
                    .map(entry -> new Hot(
                            entry.getKey(), Math.round(entry.getValue().events), Math.round(entry.getValue().retries)))
                    .toList();
        }
    }
}
