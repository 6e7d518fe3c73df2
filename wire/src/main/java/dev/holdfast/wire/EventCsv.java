package dev.holdfast.wire;

import dev.holdfast.model.LockEvent;
import dev.holdfast.model.Token;
import dev.holdfast.spi.EventLog.StoredEvent;
import dev.holdfast.wire.json.Json;
import dev.holdfast.wire.json.ObjectBuilder;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An event as a line of a table, RFC 4180: the fields of {@link EventJson} under the same names, without those that say the same twice.
 *
 * <p>Names and reasons are chosen by strangers, and a spreadsheet takes what begins like a formula for one. Such a text gets an
 * apostrophe in front; so does one that begins with an apostrophe, so that taking one away gives back what it was.
 */
public final class EventCsv {
    /** The first line, which names the columns. */
    public static final String HEAD =
            "timestamp,level,event,event_id,namespace,name,path,lock_key,lock_id,fencing_token,owner,actor,reason,"
                    + "waited_ms,held_ms,metadata,request_id\r\n";

    /** What spreadsheets take for the beginning of a formula, in both widths, and what would hide it; and the sign against it. */
    private static final String DANGEROUS = "=+-@\t\r\n＝＋－＠'";

    private EventCsv() {}

    public static String line(StoredEvent stored) {
        LockEvent event = stored.event();
        String path = EventJson.path(event.scope());
        return Stream.of(
                        Rfc3339.text(event.at()),
                        EventJson.isWarning(event.type()) ? "WARN" : "INFO",
                        event.type().label(),
                        Long.toString(stored.number()),
                        text(event.key().namespace()),
                        text(event.key().name()),
                        text(path),
                        text(EventJson.key(event.key(), path)),
                        HexFormat.of().toHexDigits(event.lease()),
                        event.token().equals(Token.NONE)
                                ? ""
                                : Long.toString(event.token().value()),
                        text(event.owner()),
                        text(event.actor()),
                        text(event.reason()),
                        millis(EventJson.waited(event)),
                        millis(EventJson.held(event)),
                        metadata(event),
                        text(event.request()))
                .map(EventCsv::quoted)
                .collect(Collectors.joining(",", "", "\r\n"));
    }

    /** An object, since there may be any number of entries with any name. */
    private static String metadata(LockEvent event) {
        if (event.metadata().isEmpty()) {
            return "";
        }
        ObjectBuilder object = Json.build();
        event.metadata().forEach(object::with);
        return object.build().compact();
    }

    private static String millis(Optional<Duration> time) {
        return time.map(it -> Long.toString(it.toMillis())).orElse("");
    }

    private static String text(String value) {
        return !value.isEmpty() && DANGEROUS.indexOf(value.charAt(0)) >= 0 ? "'" + value : value;
    }

    /** Also what begins or ends with a space, which some programs would drop. */
    private static String quoted(String cell) {
        boolean plain = cell.strip().length() == cell.length()
                && cell.chars().noneMatch(c -> c == ',' || c == '"' || c == '\r' || c == '\n' || c == ';' || c == '\t');
        return plain ? cell : '"' + cell.replace("\"", "\"\"") + '"';
    }
}
