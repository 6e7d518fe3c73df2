package dev.holdfast.server.routes;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.internal.parts.Causes;
import dev.holdfast.server.http.Problem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Where a list goes on: opaque to callers, and safe in a URL. */
public final class Cursors {
    private Cursors() {}

    public static void write(JsonGenerator json, Optional<String> next) throws IOException {
        json.writeStringField("next_cursor", next.map(Cursors::encode).orElse(null));
    }

    static String encode(String place) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(place.getBytes(StandardCharsets.UTF_8));
    }

    public static String decode(String cursor) {
        try {
            return new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("is not a cursor of this server; leave it out to start again", e);
        }
    }

    /** Only a store can tell whether a cursor is one of its own. */
    static <T> T checked(@Nullable T found, @Nullable Throwable failure) {
        if (found != null) {
            return found;
        }
        Throwable cause = failure == null ? new IllegalStateException("no answer") : Causes.of(failure);
        if (cause instanceof IllegalArgumentException) {
            throw Problem.invalid("query parameter cursor is not allowed: " + cause.getMessage())
                    .refused();
        }
        throw new CompletionException(cause);
    }
}
