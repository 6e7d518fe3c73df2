package dev.holdfast.spi;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.holdfast.model.Done;
import dev.holdfast.model.Ended;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.Past;
import dev.holdfast.model.Times;
import dev.holdfast.model.Token;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a record remembers, as text: {@code {"ended":"<fingerprint><letter><time>;…","done":{…}}}, or empty.
 *
 * <p>Written with every change of a busy lock, so it is short and cheap to make. A fingerprint is 11 characters of
 * base 64 (URL alphabet), which a store can test for with a plain "contains"; the letter says how the lease ended. Newest first: its
 * time is in microseconds since 1970, in base 36. Those of the others are not needed; they have a zero, where earlier versions had the
 * microseconds before the newest.
 */
public final class PastJson {
    private static final String ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    /** 64 bits in digits of 6. */
    private static final int DIGITS = 11;
    /** Characters of an ended lease: fingerprint, code, the time that it does not have, separator. */
    private static final int LENGTH = DIGITS + 3;

    private static final String ONLY_ENDED = "{\"ended\":\"";

    private PastJson() {}

    /** The stored text; empty for a record without past. */
    public static String write(Past past) {
        if (past.ended().isEmpty() && past.done().isEmpty()) {
            return "";
        }
        if (past.done().isEmpty()) {
            return ended(
                    ONLY_ENDED, past, "\"}"); // nearly always, with every release: no generator, and nothing to escape
        }
        HoldJson.Out json = new HoldJson.Out(128).open('{');
        if (!past.ended().isEmpty()) {
            json.name("ended").raw(ended("\"", past, "\""));
        }
        Done done = past.done().get();
        json.name("done").open('{').name("generation").string(done.generation());
        json.name("by").string(done.by());
        json.name("token").number(done.token().value());
        json.name("at").number(Times.micros(done.at()));
        return json.close('}').close('}').text();
    }

    /** The text that {@link #write} puts in for this lease once it has ended. */
    public static String mark(LeaseId leaseId) {
        byte[] text = new byte[DIGITS];
        fingerprint(leaseId.fingerprint(), text, 0);
        return new String(text, StandardCharsets.ISO_8859_1);
    }

    /** The past of this text. */
    public static Past read(String text) throws IOException {
        if (text.isEmpty()) {
            return Past.NONE;
        }
        List<Ended> ended = List.of();
        Instant lastEnd = Instant.MIN;
        Optional<Done> done = Optional.empty();
        try (JsonParser json = RecordCodec.JSON.createParser(text)) {
            RecordCodec.expect(json, json.nextToken(), JsonToken.START_OBJECT);
            while (json.nextToken() != JsonToken.END_OBJECT) {
                String field = json.currentName();
                json.nextToken();
                switch (field) {
                    case "ended" -> {
                        ended = ended(json.getText());
                        lastEnd = lastEnd(json.getText());
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

    /** Written with every release: into one array, of bytes, which a text of such letters consists of. */
    private static String ended(String before, Past past, String after) {
        List<Ended> ended = past.ended();
        int newest = ended.size() - 1;
        String time = Long.toString(Times.micros(past.lastEnd()), 36);
        byte[] text = new byte[before.length() + ended.size() * LENGTH + time.length() + after.length()];
        int size = put(before, text, 0);
        for (int i = newest; i >= 0; i--) {
            Ended lease = ended.get(i);
            size = fingerprint(lease.fingerprint(), text, size);
            text[size++] = (byte) lease.how().code();
            size = put(i == newest ? time : "0", text, size);
            text[size++] = ';';
        }
        size = put(after, text, size - 1); // instead of the last separator
        return new String(text, 0, size, StandardCharsets.ISO_8859_1);
    }

    private static int put(String letters, byte[] into, int start) {
        for (int i = 0; i < letters.length(); i++) {
            into[start + i] = (byte) letters.charAt(i);
        }
        return start + letters.length();
    }

    private static int fingerprint(long bits, byte[] into, int start) {
        int at = start;
        for (int shift = 60; shift >= 0; shift -= 6) {
            into[at++] = (byte) ALPHABET.charAt((int) (bits >>> shift) & 63);
        }
        return at;
    }

    private static List<Ended> ended(String text) {
        List<Ended> ended = new ArrayList<>();
        for (String lease : text.split(";", -1)) {
            if (lease.length() < DIGITS + 2) {
                throw new IllegalArgumentException("ended lease '" + lease + "' is cut short");
            }
            ended.add(new Ended(fingerprint(lease), LostReason.ofCode(lease.charAt(DIGITS))));
        }
        Collections.reverse(ended);
        return ended;
    }

    private static Instant lastEnd(String text) {
        int separator = text.indexOf(';');
        return Times.ofMicros(Long.parseLong(text, DIGITS + 1, separator < 0 ? text.length() : separator, 36));
    }

    private static long fingerprint(String lease) {
        long bits = 0;
        for (int i = 0; i < DIGITS; i++) {
            int digit = ALPHABET.indexOf(lease.charAt(i));
            if (digit < 0) {
                throw new IllegalArgumentException("ended lease '" + lease + "' has no fingerprint");
            }
            bits = bits << 6 | digit;
        }
        return bits;
    }
}
