package dev.holdfast.server.http;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.internal.parts.Causes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.CompletionException;

/** Where a list goes on: opaque to callers, and safe in a URL. */
public final class Cursors {
    private Cursors() {}

    public static void write(JsonGenerator json, Optional<String> next) throws IOException {
        writePlain(json, next.map(Cursors::encode));
    }

    /** The same for a place that is written as it is, such as a name. */
    public static void writePlain(JsonGenerator json, Optional<String> next) throws IOException {
        json.writeStringField("next_cursor", next.orElse(null));
    }

    public static String encode(String place) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(place.getBytes(StandardCharsets.UTF_8));
    }

    public static String decode(String cursor) {
        try {
            return new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("is not a cursor of this server; leave it out to start again", e);
        }
    }

    /** What a store's failure to go on from a cursor is told as: only who made a cursor can tell whether it is one. */
    public static RuntimeException refused(Throwable failure) {
        Throwable cause = Causes.of(failure);
        return cause instanceof IllegalArgumentException
                ? Problem.invalid("query parameter cursor is not allowed: " + cause.getMessage())
                : new CompletionException(cause);
    }
}
