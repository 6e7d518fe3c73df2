package dev.holdfast.wire;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.wire.json.Json;
import dev.holdfast.wire.json.JsonText;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Why a server did not do what it was asked (RFC 9457).
 *
 * @param status of HTTP
 * @param code for programs; never changes its meaning, and is empty if it is not a Holdfast server that answers
 * @param detail for people
 * @param errors one sentence for each thing that is wrong, where there are several
 * @param retryAfter when asking again makes sense
 */
public record ProblemJson(int status, String code, String detail, List<String> errors, Optional<Duration> retryAfter) {
    public static final String MEDIA_TYPE = "application/problem+json";

    /** What a problem means for whoever asked. */
    public enum Meaning {
        /** Whoever asks may not. */
        ACCESS_REFUSED,
        /** This server cannot answer that, now or later. */
        UNUSABLE,
        /** It may have been done. */
        OUTCOME_UNKNOWN,
        /** It was not done, but may be later. */
        UNAVAILABLE,
        /** What was asked is wrong, or does not fit what there is. */
        REQUEST_REFUSED
    }

    public Meaning meaning() {
        if (code.equals("outcome-unknown")) {
            return Meaning.OUTCOME_UNKNOWN;
        }
        if (code.equals("store-unusable")) {
            return Meaning.UNUSABLE;
        }
        return switch (status) {
            case 401, 403 -> Meaning.ACCESS_REFUSED;
            case 421, 501 -> Meaning.UNUSABLE;
            case 429, 500, 502, 503, 504 -> Meaning.UNAVAILABLE;
            default -> Meaning.REQUEST_REFUSED;
        };
    }

    /** The members that every problem has; further ones may follow. */
    public void write(JsonGenerator json, String title, String requestId) throws IOException {
        json.writeStringField("type", "urn:holdfast:problem:" + code);
        json.writeStringField("title", title);
        json.writeNumberField("status", status);
        json.writeStringField("code", code);
        json.writeStringField("detail", detail);
        json.writeStringField("request_id", requestId);
        if (errors.size() > 1) {
            JsonText.values(json, "errors", errors, JsonGenerator::writeString);
        }
        if (retryAfter.isPresent()) {
            json.writeNumberField("retry_after_ms", retryAfter.get().toMillis());
        }
    }

    /** Reads it; where no server of ours answers, the status is all there is to tell. */
    public static ProblemJson read(int status, Json.Obj from) {
        String detail = from.text("detail").orElse("the server answered " + status);
        List<String> errors = from.texts("errors");
        return new ProblemJson(
                status,
                from.text("code").orElse(""),
                detail,
                errors.isEmpty() ? List.of(detail) : errors,
                from.number("retry_after_ms").map(Duration::ofMillis));
    }
}
