package dev.holdfast.server.observe.logs;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** What a logger and those below it log, until this is closed, whatever levels other tests of the process have left behind. */
public final class LoggedLines implements AutoCloseable {
    private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();
    private final Logger logger;
    private final @Nullable Level before;
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            events.add(event);
        }
    };

    private LoggedLines(Logger logger, Level level) {
        this.logger = logger;
        before = logger.getLevel();
        logger.setLevel(level);
        appender.start();
        logger.addAppender(appender);
    }

    public static LoggedLines of(Class<?> type) {
        return of(type.getName());
    }

    public static LoggedLines of(String logger) {
        return of(logger, Level.INFO);
    }

    public static LoggedLines of(String logger, Level level) {
        return new LoggedLines((Logger) LoggerFactory.getLogger(logger), level);
    }

    public List<ILoggingEvent> events() {
        return List.copyOf(events);
    }

    /** The messages, of every level. */
    public List<String> lines() {
        return events.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    /** The messages of this level. */
    public List<String> lines(Level level) {
        return events.stream()
                .filter(event -> event.getLevel().equals(level))
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    public void clear() {
        events.clear();
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
        logger.setLevel(before);
    }
}
