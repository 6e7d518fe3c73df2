package dev.holdfast.server.observe.logs;

import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.event.Level;

/**
 * How the server logs.
 *
 * @param level the least level of our own loggers; libraries log from WARN on
 * @param file a file that gets the same lines as the error output; rolled at 50 MB, five old ones are kept
 */
public record LoggingConfig(Format format, Level level, Optional<Path> file) {
    public enum Format {
        /** {@code 14:25:42.123 INFO  LockEngine message key=value}. */
        CONSOLE,
        JSON
    }
}
