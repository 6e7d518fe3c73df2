package dev.holdfast.guard;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What was known of an app when something was decided.
 *
 * @param app which
 * @param status {@code UP}, {@code DOWN}, {@code UNKNOWN} or {@code STARTING}
 * @param httpCode of its answer, if there was one
 * @param checkedAt when it was looked at
 * @param standing how that made it stand to a stop; empty where nobody judged it
 */
public record Evidence(
        String app, String status, OptionalInt httpCode, Instant checkedAt, Optional<AppStanding> standing) {
    /** What was seen, by nobody judged. */
    public Evidence(String app, String status, OptionalInt httpCode, Instant checkedAt) {
        this(app, status, httpCode, checkedAt, Optional.empty());
    }

    /** The same, judged. */
    public Evidence standing(AppStanding judged) {
        return new Evidence(app, status, httpCode, checkedAt, Optional.of(judged));
    }

    @Override
    public String toString() {
        return app + "=" + status + (httpCode.isPresent() ? "(" + httpCode.getAsInt() + ")" : "");
    }
}
