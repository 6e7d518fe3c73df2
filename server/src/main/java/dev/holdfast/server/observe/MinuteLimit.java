package dev.holdfast.server.observe;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

/**
 * Which of many things of the same kind are told one by one: of each kind so many in a minute, of all together so many. The rest is
 * counted. Safe for any thread.
 */
public class MinuteLimit<K> {
    private static final long WINDOW = Duration.ofMinutes(1).toNanos();

    private final LongSupplier nanos;
    private final Bounds bounds;
    private final UnaryOperator<K> others;
    private final Map<K, Count> seen = new LinkedHashMap<>();
    private long since;
    private int told;

    /**
     * How many.
     *
     * @param each told of one kind
     * @param all told of all kinds together
     * @param kinds counted on their own
     */
    public record Bounds(int each, int all, int kinds) {}

    private static final class Count {
        private int told;
        private long rest;
    }

    /** @param others as what a kind is counted when there are too many of them */
    public MinuteLimit(LongSupplier nanos, Bounds bounds, UnaryOperator<K> others) {
        this.nanos = nanos;
        this.bounds = bounds;
        this.others = others;
        this.since = nanos.getAsLong();
    }

    /** Whether one of this kind is to be told; else it is counted. */
    public synchronized boolean admits(K kind) {
        boolean known = seen.containsKey(kind) || seen.size() < bounds.kinds();
        Count count = seen.computeIfAbsent(known ? kind : others.apply(kind), it -> new Count());
        if (count.told < bounds.each() && told < bounds.all()) {
            count.told++;
            told++;
            return true;
        }
        count.rest++;
        return false;
    }

    /** After a minute: how many of each kind were only counted in it. Then the next minute begins. */
    public synchronized Map<K, Long> rests() {
        return nanos.getAsLong() - since < WINDOW ? Map.of() : end();
    }

    /** The same before the minute is over. */
    public synchronized Map<K, Long> end() {
        Map<K, Long> rests = new LinkedHashMap<>();
        seen.forEach((kind, count) -> {
            if (count.rest > 0) {
                rests.put(kind, count.rest);
            }
        });
        seen.clear();
        told = 0;
        since = nanos.getAsLong();
        return rests;
    }
}
