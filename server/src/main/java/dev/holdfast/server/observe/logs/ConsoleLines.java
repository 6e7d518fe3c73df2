package dev.holdfast.server.observe.logs;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;
import ch.qos.logback.core.LayoutBase;
import dev.holdfast.server.observe.audit.AuditLog;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/**
 * Log lines for people: {@code 14:25:42.123 INFO  LockEngine message key=value}. Only a stack trace takes more lines than one, and
 * those are indented, so nothing a caller sends can look like a line of ours.
 */
final class ConsoleLines extends LayoutBase<ILoggingEvent> {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.SSS");
    /** Frames shown of each exception: what matters is at the top. */
    private static final int MAX_FRAMES = 40;
    /** Exceptions shown of a chain of causes. */
    private static final int MAX_CAUSES = 8;

    private final boolean colours;
    private final boolean plain;
    private final ZoneId zone = ZoneId.systemDefault();

    private ConsoleLines(boolean colours, boolean plain) {
        this.colours = colours;
        this.plain = plain;
    }

    static ConsoleLines full(boolean colours) {
        return new ConsoleLines(colours, false);
    }

    /** Only level and message, for commands that end soon. */
    static ConsoleLines plain() {
        return new ConsoleLines(false, true);
    }

    @Override
    public String doLayout(ILoggingEvent event) {
        if (AuditLog.LOGGER.equals(event.getLoggerName())) {
            return event.getFormattedMessage() + "\n"; // is JSON already
        }
        StringBuilder line = new StringBuilder(160);
        if (!plain) {
            line.append(TIME.format(Instant.ofEpochMilli(event.getTimeStamp()).atZone(zone)))
                    .append(' ');
        }
        level(line, event.getLevel());
        if (!plain) {
            line.append(shortName(event.getLoggerName())).append(' ');
        }
        LogEscapes.append(line, String.valueOf(event.getFormattedMessage()));
        pairs(line, event);
        line.append('\n');
        trace(line, event.getThrowableProxy());
        return line.toString();
    }

    private void level(StringBuilder line, Level level) {
        String colour = level.isGreaterOrEqual(Level.ERROR) ? "31" : level.isGreaterOrEqual(Level.WARN) ? "33" : "";
        boolean coloured = colours && !colour.isEmpty();
        if (coloured) {
            line.append("\u001b[").append(colour).append('m');
        }
        line.append(level);
        if (coloured) {
            line.append("\u001b[0m");
        }
        line.append(level.toString().length() < 5 && !plain ? "  " : " "); // INFO and WARN as wide as ERROR
    }

    private static String shortName(String logger) {
        return logger.substring(logger.lastIndexOf('.') + 1);
    }

    private static void pairs(StringBuilder line, ILoggingEvent event) {
        for (Map.Entry<String, String> entry : event.getMDCPropertyMap().entrySet()) {
            pair(line, entry.getKey(), entry.getValue());
        }
        List<KeyValuePair> pairs = event.getKeyValuePairs();
        if (pairs != null) {
            for (KeyValuePair pair : pairs) {
                pair(line, pair.key, String.valueOf(pair.value));
            }
        }
    }

    static void pair(StringBuilder line, String key, String value) {
        line.append(' ');
        LogEscapes.append(line, key);
        line.append('=');
        boolean quoted = value.isEmpty() || value.indexOf(' ') >= 0 || value.indexOf('"') >= 0;
        if (quoted) {
            line.append('"');
        }
        LogEscapes.append(line, quoted ? value.replace("\"", "\\\"") : value);
        if (quoted) {
            line.append('"');
        }
    }

    static void trace(StringBuilder lines, @Nullable IThrowableProxy thrown) {
        IThrowableProxy next = thrown;
        for (int i = 0; next != null && i < MAX_CAUSES; i++) {
            lines.append(i == 0 ? "    " : "    caused by ").append(next.getClassName());
            if (next.getMessage() != null) {
                lines.append(": ");
                LogEscapes.append(lines, next.getMessage());
            }
            lines.append('\n');
            StackTraceElementProxy[] frames = next.getStackTraceElementProxyArray();
            int own = frames.length - next.getCommonFrames();
            for (int f = 0; f < Math.min(own, MAX_FRAMES); f++) {
                lines.append("        ").append(frames[f].getSTEAsString()).append('\n');
            }
            next = next.getCause();
        }
    }
}
