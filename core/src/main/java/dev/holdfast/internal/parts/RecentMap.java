package dev.holdfast.internal.parts;

import java.util.LinkedHashMap;
import java.util.Map;

/** A map with a limit: what was not used for longest makes room for what is new. Not thread-safe. */
public final class RecentMap<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1;

    private final int most;

    /** One of at most so many entries; reading an entry is using it. */
    public RecentMap(int most) {
        this(most, true);
    }

    private RecentMap(int most, boolean readingIsUse) {
        super(16, 0.75f, readingIsUse);
        this.most = most;
    }

    /** One that forgets in the order in which entries were put, whether they are read or not. */
    public static <K, V> RecentMap<K, V> inOrderOfInsertion(int most) {
        return new RecentMap<>(most, false);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > most;
    }
}
