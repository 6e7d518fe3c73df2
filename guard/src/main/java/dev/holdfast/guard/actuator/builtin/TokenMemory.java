package dev.holdfast.guard.actuator.builtin;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The highest token seen for each resource, in this process's memory: enough to refuse a caller here that was paused, not one
 * elsewhere. Forgets the resource that was not asked about for longest when there are very many.
 */
final class TokenMemory implements TokenGate {
    private static final int MOST = 10_000;

    private final Map<String, Long> highest = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
            return size() > MOST;
        }
    };

    @Override
    public synchronized OptionalLong newerThan(String resource, long token) {
        long seen = highest.getOrDefault(resource, 0L);
        return seen > token ? OptionalLong.of(seen) : OptionalLong.empty();
    }

    @Override
    public synchronized OptionalLong claim(String resource, long token) {
        OptionalLong newer = newerThan(resource, token);
        if (newer.isEmpty()) {
            highest.put(resource, token);
        }
        return newer;
    }
}
