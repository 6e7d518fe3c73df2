package dev.holdfast.server.observe.metrics;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;

/**
 * A value per key, for the first so many keys; all further keys share one. Keeps the number of label values, and with it the
 * memory here and at whoever scrapes, independent of what callers send. Safe for any thread; a known key costs one lookup.
 */
final class BoundedLabels<K, V> {
    private final ConcurrentMap<K, V> values = new ConcurrentHashMap<>();
    private final int limit;
    private final K other;
    private final Function<K, V> make;
    private volatile boolean full;

    BoundedLabels(int limit, K other, Function<K, V> make) {
        this.limit = limit;
        this.other = other;
        this.make = make;
    }

    V of(K key) {
        V known = values.get(key);
        if (known != null) {
            return known;
        }
        V shared = full ? values.get(other) : null;
        return shared != null ? shared : remember(key);
    }

    private synchronized V remember(K key) {
        V known = values.get(key);
        if (known != null) {
            return known;
        }
        boolean last = values.size() >= limit;
        V made = values.computeIfAbsent(last ? other : key, make);
        full = last;
        return made;
    }
}
