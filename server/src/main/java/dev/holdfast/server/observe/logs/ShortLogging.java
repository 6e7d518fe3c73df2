package dev.holdfast.server.observe.logs;

import ch.qos.logback.classic.spi.ThrowableProxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.ILoggerFactory;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;
import org.slf4j.event.KeyValuePair;
import org.slf4j.event.Level;
import org.slf4j.event.LoggingEvent;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;
import org.slf4j.helpers.NOP_FallbackServiceProvider;
import org.slf4j.helpers.Reporter;
import org.slf4j.spi.LoggingEventAware;

/**
 * The log of a command that ends soon: level and message on the error output, at once, as {@link StartLogging} writes them. A logging
 * library that can do more takes longer to start than such a command does to run, and most of them log nothing.
 */
public final class ShortLogging extends NOP_FallbackServiceProvider {
    private final Map<String, org.slf4j.Logger> loggers = new ConcurrentHashMap<>();

    /** For this process, if nothing was logged yet. What a user has set is left alone. */
    public static void use() {
        System.getProperties().putIfAbsent(Reporter.SLF4J_INTERNAL_VERBOSITY_KEY, Level.WARN.name());
        System.getProperties().putIfAbsent(LoggerFactory.PROVIDER_PROPERTY_KEY, ShortLogging.class.getName());
    }

    @Override
    public ILoggerFactory getLoggerFactory() {
        return name -> loggers.computeIfAbsent(name, Lines::new);
    }

    /** Our own from INFO on, libraries from WARN on. */
    private static final class Lines extends LegacyAbstractLogger implements LoggingEventAware {
        private static final long serialVersionUID = 1;

        private final Level least;

        Lines(String name) {
            this.name = name;
            this.least = name.startsWith("dev.holdfast") ? Level.INFO : Level.WARN;
        }

        private boolean isEnabled(Level level) {
            return level.toInt() >= least.toInt();
        }

        @Override
        public boolean isTraceEnabled() {
            return false;
        }

        @Override
        public boolean isDebugEnabled() {
            return false;
        }

        @Override
        public boolean isInfoEnabled() {
            return isEnabled(Level.INFO);
        }

        @Override
        public boolean isWarnEnabled() {
            return true;
        }

        @Override
        public boolean isErrorEnabled() {
            return true;
        }

        @Override
        protected @Nullable String getFullyQualifiedCallerName() {
            return null; // where it was called is not shown
        }

        @Override
        protected void handleNormalizedLoggingCall(
                Level level,
                @Nullable Marker marker,
                String message,
                Object @Nullable [] arguments,
                @Nullable Throwable thrown) {
            write(level, MessageFormatter.basicArrayFormat(message, arguments), List.of(), thrown);
        }

        @Override
        public void log(LoggingEvent event) {
            if (isEnabled(event.getLevel())) {
                String message = MessageFormatter.basicArrayFormat(event.getMessage(), event.getArgumentArray());
                List<KeyValuePair> pairs = event.getKeyValuePairs();
                write(
                        event.getLevel(),
                        message,
                        pairs == null ? List.of() : new ArrayList<>(pairs),
                        event.getThrowable());
            }
        }

        private static void write(Level level, String message, List<KeyValuePair> pairs, @Nullable Throwable thrown) {
            StringBuilder line = new StringBuilder(160).append(level).append(' ');
            LogEscapes.append(line, String.valueOf(message));
            pairs.forEach(pair -> ConsoleLines.pair(line, pair.key, String.valueOf(pair.value)));
            line.append('\n');
            if (thrown != null) {
                ConsoleLines.trace(line, new ThrowableProxy(thrown));
            }
            System.err.writeBytes(line.toString().getBytes(StandardCharsets.UTF_8)); // at once: lines are not mixed
        }
    }
}
