package dev.holdfast.server.observe.logs;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.LayoutBase;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.io.SerializedString;
import dev.holdfast.server.observe.audit.AuditLog;
import dev.holdfast.wire.Rfc3339;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/**
 * Log lines for machines: one JSON object each, with {@code timestamp, level, logger, message, thread}, the pairs that came with the
 * message (such as {@code request_id}) and {@code exception}. Lines of the audit logger are such objects already.
 */
final class JsonLines extends LayoutBase<ILoggingEvent> {
    private static final Set<String> OURS = Set.of("timestamp", "level", "logger", "message", "thread", "exception");

    private final JsonFactory json = new JsonFactory();

    JsonLines() {
        json.setCharacterEscapes(new ControlEscapes());
    }

    @Override
    public String doLayout(ILoggingEvent event) {
        if (AuditLog.LOGGER.equals(event.getLoggerName())) {
            return event.getFormattedMessage() + "\n";
        }
        StringWriter line = new StringWriter(256);
        try (JsonGenerator generator = json.createGenerator(line)) {
            write(generator, event);
            generator.writeRaw('\n');
        } catch (IOException e) {
            throw new UncheckedIOException("A log line could not be written as JSON", e);
        }
        return line.toString();
    }

    private static void write(JsonGenerator json, ILoggingEvent event) throws IOException {
        json.writeStartObject();
        json.writeStringField("timestamp", Rfc3339.text(Instant.ofEpochMilli(event.getTimeStamp())));
        json.writeStringField("level", event.getLevel().toString());
        json.writeStringField("logger", event.getLoggerName());
        json.writeStringField("message", String.valueOf(event.getFormattedMessage()));
        json.writeStringField("thread", event.getThreadName());
        Set<String> used = new HashSet<>(OURS);
        List<KeyValuePair> pairs = event.getKeyValuePairs();
        if (pairs != null) {
            for (KeyValuePair pair : pairs) {
                pair(json, used, pair.key, pair.value);
            }
        }
        for (Map.Entry<String, String> entry : event.getMDCPropertyMap().entrySet()) {
            pair(json, used, entry.getKey(), entry.getValue());
        }
        if (event.getThrowableProxy() != null) {
            StringBuilder trace = new StringBuilder();
            ConsoleLines.trace(trace, event.getThrowableProxy());
            json.writeStringField("exception", trace.toString().strip());
        }
        json.writeEndObject();
    }

    /** A key that is taken gets underscores until it is not: an object must not have two of the same. */
    private static void pair(JsonGenerator json, Set<String> used, String key, @Nullable Object value)
            throws IOException {
        String free = key;
        while (!used.add(free)) {
            free += "_";
        }
        json.writeFieldName(free);
        if (value instanceof Boolean truth) {
            json.writeBoolean(truth);
        } else if (value instanceof Integer || value instanceof Long) {
            json.writeNumber(((Number) value).longValue());
        } else if (value == null) {
            json.writeNull();
        } else {
            json.writeString(value.toString());
        }
    }

    /** Besides what JSON demands, what would steer a terminal that shows the line. */
    private static final class ControlEscapes extends CharacterEscapes {
        private static final int[] ASCII = CharacterEscapes.standardAsciiEscapesForJSON();

        static {
            ASCII[0x7f] = CharacterEscapes.ESCAPE_STANDARD;
        }

        @Override
        public int[] getEscapeCodesForAscii() {
            return ASCII.clone();
        }

        @Override
        public @Nullable SerializableString getEscapeSequence(int c) {
            return c <= Character.MAX_VALUE && LogEscapes.isControl((char) c)
                    ? new SerializedString(String.format("\\u%04x", c))
                    : null;
        }
    }
}
