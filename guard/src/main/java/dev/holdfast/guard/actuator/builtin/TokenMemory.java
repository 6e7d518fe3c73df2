package dev.holdfast.guard.actuator.builtin;

import dev.holdfast.guard.actuator.ActResult;
import dev.holdfast.guard.actuator.ActTarget;
import dev.holdfast.internal.parts.RecentMap;
import java.util.Map;
import java.util.Optional;

/**
 * The highest token seen for each resource, in this process's memory: enough to refuse a caller here that was paused, not one
 * elsewhere. Forgets the resource that was not asked about for longest when there are very many.
 */
final class TokenMemory implements TokenGate {
    private static final int MOST = 10_000;

    private final Map<String, Long> highest = new RecentMap<>(MOST);

    @Override
    public synchronized Optional<ActResult> refusal(ActTarget target) {
        long seen = highest.getOrDefault(target.dbIdentifier(), 0L);
        if (seen > target.fencingToken()) {
            return Optional.of(new ActResult.Stale(seen));
        }
        if (!target.dryRun()) {
            highest.put(target.dbIdentifier(), target.fencingToken());
        }
        return Optional.empty();
    }
}
