package dev.holdfast.server.observe.metrics;

/** What was decided about stopping a database. */
public enum DatabaseStop {
    SKIPPED_SHARED_ACTIVE("Times a database was left running because another app still uses it"),
    SKIPPED_UNKNOWN("Times a database was left running because nobody could say whether an app uses it"),
    SKIPPED_LOCK("Times a database was left alone because its lock was held: somebody else was deciding about it"),
    STOPPED("Times a database was stopped"),
    RECORDED_ONLY("Stops of a database that were only recorded: the actuator touched nothing"),
    NEEDED("Times an app was found to need a database that is stopped");

    private final String help;

    DatabaseStop(String help) {
        this.help = help;
    }

    String help() {
        return help;
    }
}
