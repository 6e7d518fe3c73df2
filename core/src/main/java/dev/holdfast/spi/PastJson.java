package dev.holdfast.spi;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.holdfast.model.Done;
import dev.holdfast.model.EndedLeases;
import dev.holdfast.model.Past;
import dev.holdfast.model.Times;
import dev.holdfast.model.Token;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * What a record remembers, as text: {@code {"ended":"<fingerprint><letter><time>;…","done":{…}}}, or empty.
 *
 * <p>Written with every release, so it is short and cheap to make: {@link EndedLeases} has the part that is long. The newest has its time,
 * in microseconds since 1970, in base 36.
 */
public final class PastJson {
    private PastJson() {}

    /** The stored text; empty for a record without past. */
    public static String write(Past past) {
        if (past.ended().isEmpty() && past.done().isEmpty()) {
            return "";
        }
        if (past.done().isEmpty()) {
            return "{\"ended\":\"" + ended(past) + "\"}"; // nearly always
        }
        HoldJson.Out json = new HoldJson.Out(128).open('{');
        if (!past.ended().isEmpty()) {
            json.name("ended").string(ended(past));
        }
        Done done = past.done().get();
        json.name("done").open('{').name("generation").string(done.generation());
        json.name("by").string(done.by());
        json.name("token").number(done.token().value());
        json.name("at").number(Times.micros(done.at()));
        return json.close('}').close('}').text();
    }

    /** The past of this text. */
    public static Past read(String text) throws IOException {
        if (text.isEmpty()) {
            return Past.NONE;
        }
        EndedLeases ended = EndedLeases.NONE;
        Instant lastEnd = Instant.MIN;
        Optional<Done> done = Optional.empty();
        try (JsonParser json = RecordCodec.JSON.createParser(text)) {
            RecordCodec.expect(json, json.nextToken(), JsonToken.START_OBJECT);
            while (json.nextToken() != JsonToken.END_OBJECT) {
                String field = json.currentName();
                json.nextToken();
                switch (field) {
                    case "ended" -> {
                        ended = EndedLeases.of(json.getText());
                        lastEnd = Times.ofMicros(Long.parseLong(EndedLeases.time(json.getText()), 36));
                    }
                    case "done" -> done = Optional.of(done(json));
                    default -> json.skipChildren();
                }
            }
        }
        return new Past(ended, lastEnd, done);
    }

    /** Metadata as a JSON object, for stores with a column for it. */
    public static String metadata(Map<String, String> metadata) {
        HoldJson.Out json = new HoldJson.Out(128);
        HoldJson.metadata(json, metadata);
        return json.text();
    }

    /** Adds a text in quotes. Nearly none needs an escape, and is copied as a whole then. */
    public static void quote(StringBuilder out, String text) {
        out.append('"');
        if (isPlain(text)) {
            out.append(text);
        } else {
            JsonStringEncoder.getInstance().quoteAsString(text, out);
        }
        out.append('"');
    }

    private static boolean isPlain(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || c == '"' || c == '\\') {
                return false;
            }
        }
        return true;
    }

    /** The metadata of a JSON object. */
    public static Map<String, String> metadata(String text) throws IOException {
        try (JsonParser json = RecordCodec.JSON.createParser(text)) {
            json.nextToken();
            return HoldJson.readMetadata(json);
        }
    }

    private static Done done(JsonParser json) throws IOException {
        String generation = "";
        String by = "";
        long token = 0;
        Instant at = Instant.EPOCH;
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String field = json.currentName();
            json.nextToken();
            switch (field) {
                case "generation" -> generation = json.getText();
                case "by" -> by = json.getText();
                case "token" -> token = json.getLongValue();
                case "at" -> at = Times.ofMicros(json.getLongValue());
                default -> json.skipChildren();
            }
        }
        return new Done(generation, by, new Token(token), at);
    }

    private static String ended(Past past) {
        return past.ended().text(Long.toString(Times.micros(past.lastEnd()), 36));
    }
}
