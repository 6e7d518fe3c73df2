package dev.holdfast.cli.serve;

import dev.holdfast.server.observe.logs.ShortLogging;

public final class CommandLog {
    private CommandLog() {}

    /** For this process, if nothing was logged yet. */
    public static void use() {
        ShortLogging.use();
    }

    /** Loads what it needs, and leaves the log of this process as it is. */
    public static void rehearse() {
        new ShortLogging().getLoggerFactory().getLogger("dev.holdfast").debug("of the other commands");
    }
}
