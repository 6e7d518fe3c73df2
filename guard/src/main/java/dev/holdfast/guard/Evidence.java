package dev.holdfast.guard;

import java.time.Instant;
import java.util.OptionalInt;

/**
 * What was known of an app when something was decided.
 *
 * @param app which
 * @param status {@code UP}, {@code DOWN}, {@code UNKNOWN} or {@code STARTING}
 * @param httpCode of its answer, if there was one
 * @param checkedAt when it was looked at
 */
public record Evidence(String app, String status, OptionalInt httpCode, Instant checkedAt) {
    @Override
    public String toString() {
        return app + "=" + status + (httpCode.isPresent() ? "(" + httpCode.getAsInt() + ")" : "");
    }
}
