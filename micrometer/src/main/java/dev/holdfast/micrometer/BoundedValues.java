package dev.holdfast.micrometer;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Values of a tag: the first so many, and {@code other} for all further ones, so that the memory here and at whoever scrapes does not
 * depend on how many there are. Safe for any thread.
 */
final class BoundedValues {
    private static final String OTHER = "other";

    private final int limit;
    private final Set<String> known = ConcurrentHashMap.newKeySet();

    BoundedValues(int limit) {
        this.limit = limit;
    }

    String of(String value) {
        return known.contains(value) || remembered(value) ? value : OTHER;
    }

    private synchronized boolean remembered(String value) {
        return known.contains(value) || (known.size() < limit && known.add(value));
    }
}
