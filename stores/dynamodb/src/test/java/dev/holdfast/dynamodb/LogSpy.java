package dev.holdfast.dynamodb;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** Hears what a class logs. */
public final class LogSpy extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    private final Logger logger;
    private final Level before;
    private final List<String> heard = new CopyOnWriteArrayList<>();

    public LogSpy(Class<?> of) {
        logger = (Logger) LoggerFactory.getLogger(of);
        before = logger.getLevel();
        logger.setLevel(Level.INFO);
        setContext(logger.getLoggerContext());
        start();
        logger.addAppender(this);
    }

    @Override
    protected void append(ILoggingEvent event) {
        heard.add(event.getLevel() + " " + event.getFormattedMessage());
    }

    public List<String> heard() {
        return List.copyOf(heard);
    }

    @Override
    public void close() {
        logger.detachAppender(this);
        logger.setLevel(before);
    }
}
