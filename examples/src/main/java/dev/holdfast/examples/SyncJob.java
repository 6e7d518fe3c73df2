package dev.holdfast.examples;

import dev.holdfast.model.LockKey;
import java.time.Duration;

/**
 * What {@link PodSync} runs on one pod at a time.
 *
 * @param label what people call it
 * @param key what it locks
 * @param lease how long a pod that died keeps the others waiting; one that lives renews it, so it may be much shorter than the job
 */
record SyncJob(String label, LockKey key, Duration lease) {
    private static final LockKey SYNC = LockKey.of("default", "sync");

    /** The whole lock. */
    static SyncJob all() {
        return new SyncJob("sync-all", SYNC, Env.duration("SYNC_ALL_LEASE", Duration.ofMinutes(60)));
    }

    /** A part of the same lock: excludes {@link #all()} and itself, no other project. */
    static SyncJob project(String key) {
        Duration lease = Env.duration("SYNC_PROJECT_LEASE", Duration.ofMinutes(30));
        return new SyncJob("sync-project-" + key, SYNC.at("project/" + key), lease);
    }

    /** A lock of its own. */
    static SyncJob changelog() {
        return new SyncJob("changelog-sync", LockKey.of("default", "changelog-sync"), Duration.ofMinutes(1));
    }
}
