package dev.holdfast.server.observe.logs;

import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.SimpleFormatter;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/** Brings what libraries tell the JDK's own logging (OpenTelemetry does) to the same place as everything else. */
final class JulLines extends Handler {
    private final SimpleFormatter words = new SimpleFormatter();

    /** Takes the place of the JDK's output to the console. */
    static void install() {
        LogManager.getLogManager().reset();
        LogManager.getLogManager().getLogger("").addHandler(new JulLines());
    }

    @Override
    public void publish(LogRecord told) {
        String name = told.getLoggerName();
        LoggingEventBuilder line = LoggerFactory.getLogger(name == null || name.isEmpty() ? "jul" : name)
                .atLevel(level(told.getLevel()));
        if (told.getThrown() != null) {
            line = line.setCause(told.getThrown());
        }
        line.log(words.formatMessage(told));
    }

    private static org.slf4j.event.Level level(Level level) {
        if (level.intValue() >= Level.SEVERE.intValue()) {
            return org.slf4j.event.Level.ERROR;
        }
        if (level.intValue() >= Level.WARNING.intValue()) {
            return org.slf4j.event.Level.WARN;
        }
        return level.intValue() >= Level.INFO.intValue() ? org.slf4j.event.Level.INFO : org.slf4j.event.Level.DEBUG;
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
}
