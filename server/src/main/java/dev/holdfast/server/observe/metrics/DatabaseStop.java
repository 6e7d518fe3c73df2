package dev.holdfast.server.observe.metrics;

/** What was decided about stopping a database. */
public enum DatabaseStop {
    /** Left running: another application still uses it. */
    SKIPPED_SHARED_ACTIVE,
    /** Left running: nobody can say whether an application uses it. */
    SKIPPED_UNKNOWN,
    /** Left running: somebody else was deciding about it. */
    SKIPPED_LOCK,
    STOPPED,
    /** Of those stopped: only recorded, nothing was touched. */
    RECORDED_ONLY,
    /** Stopped, and an application needs it. */
    NEEDED
}
