package dev.holdfast.server.routes;

import dev.holdfast.server.http.Call;
import dev.holdfast.server.http.Cursors;
import dev.holdfast.server.http.Query;
import dev.holdfast.server.http.Reply;
import dev.holdfast.spi.EventLog.StoredEvent;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.wire.EventCsv;
import dev.holdfast.wire.EventJson;
import dev.holdfast.wire.json.JsonText;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The answer of a history, as it grows: a page of JSON, or a file of lines to keep. Bounded by a number of events and by its size;
 * whatever is left out is told with where to go on.
 */
final class HistoryAnswer {
    enum Format {
        JSON("application/json"),
        JSONL("application/x-ndjson"),
        CSV("text/csv");

        private final String mediaType;

        Format(String mediaType) {
            this.mediaType = mediaType;
        }

        private String ending() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Where a file goes on; a page tells that in its body. */
    static final String NEXT = "Next-Cursor";

    static final int MAX_LINES = 10_000;

    /** Lines may be long: a file of this size is not made longer. */
    private static final int MAX_BYTES = 8 << 20;

    private final Format format;
    private final int limit;
    private final List<StoredEvent> events = new ArrayList<>();
    private final Buffer lines = Buffer.buffer();
    private int count;

    private HistoryAnswer(Format format, int limit, boolean continued) {
        this.format = format;
        this.limit = limit;
        if (format == Format.CSV && !continued) {
            lines.appendString(EventCsv.HEAD);
        }
    }

    /** What the caller asks for: with {@code format}, else with the header {@code Accept}. */
    static HistoryAnswer asked(Call call, Query query, boolean continued) {
        Format format = query.text("format", HistoryAnswer::format)
                .orElseGet(() -> accepted(call.header("Accept").orElse("")));
        int limit = format == Format.JSON
                ? LockParameters.limit(query)
                : query.integer("limit", 1, MAX_LINES).orElse((long) MAX_LINES).intValue();
        return new HistoryAnswer(format, limit, continued);
    }

    boolean isFile() {
        return format != Format.JSON;
    }

    private static Format format(String text) {
        return Stream.of(Format.values())
                .filter(format -> format.ending().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("'" + text + "' is not one of json, jsonl, csv"));
    }

    /** The one preferred most; JSON where nothing else is named. */
    private static Format accepted(String header) {
        Format best = Format.JSON;
        double most = 0;
        for (String part : header.toLowerCase(Locale.ROOT).split(",", -1)) {
            String[] words = part.split(";", -1);
            for (Format format : Format.values()) {
                double weight = words[0].strip().equals(format.mediaType) ? weight(words) : 0;
                if (weight > most) {
                    most = weight;
                    best = format;
                }
            }
        }
        return best;
    }

    private static double weight(String[] words) {
        for (String word : words) {
            if (word.strip().startsWith("q=")) {
                try {
                    return Double.parseDouble(word.strip().substring(2));
                } catch (NumberFormatException e) {
                    return 0; // as if it were not wanted
                }
            }
        }
        return 1;
    }

    void add(StoredEvent event) {
        count++;
        switch (format) {
            case JSON -> events.add(event);
            case JSONL -> lines.appendBuffer(Reply.line(JsonText.object(json -> EventJson.fields(json, event))));
            case CSV -> lines.appendString(EventCsv.line(event));
        }
    }

    boolean isFull() {
        return count >= limit || lines.length() >= MAX_BYTES;
    }

    /** Whether a page need not be filled further: half is enough where the rest may cost much. */
    boolean isEnough() {
        return isFull() || (format == Format.JSON && count * 2 >= limit);
    }

    /** How many events it still takes, as far as a store gives them at once. */
    int room() {
        return Math.max(1, Math.min(limit - count, ScanRequest.MAX_LIMIT));
    }

    Reply reply(Optional<Long> next) {
        Optional<String> cursor = next.map(number -> Long.toString(number));
        if (format == Format.JSON) {
            return Reply.ok(json -> {
                JsonText.values(json, "items", events, EventJson::write);
                Cursors.write(json, cursor);
            });
        }
        Reply file = Reply.bytes(200, format == Format.CSV ? "text/csv; charset=utf-8" : format.mediaType, lines)
                .header("Content-Disposition", "attachment; filename=\"history." + format.ending() + "\"");
        return cursor.map(it -> file.header(NEXT, Cursors.encode(it))).orElse(file);
    }
}
