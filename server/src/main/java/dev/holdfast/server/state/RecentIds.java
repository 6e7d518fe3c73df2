package dev.holdfast.server.state;

import dev.holdfast.model.LeaseId;
import java.util.LinkedHashSet;
import java.util.Set;

/** The last lease ids of some kind. Safe for any thread. */
final class RecentIds {
    private final int most;
    private final Set<LeaseId> ids = new LinkedHashSet<>();

    RecentIds(int most) {
        this.most = most;
    }

    synchronized void add(LeaseId id) {
        if (ids.size() == most) {
            ids.remove(ids.iterator().next());
        }
        ids.add(id);
    }

    synchronized boolean contains(LeaseId id) {
        return ids.contains(id);
    }
}
