package dev.holdfast.guard;

import java.time.Instant;
import java.util.OptionalInt;

/**
 * Whether an app answers, in three words. Only 200 is up; any other answer is down; no answer is unknown.
 *
 * @param app which
 * @param status the word
 * @param httpCode of its answer, if there was one
 * @param timestamp when it was looked at
 */
public record QuickStatus(String app, Word status, OptionalInt httpCode, Instant timestamp) {
    public enum Word {
        /** It answered 200. */
        UP,
        /** It answered something else. */
        DOWN,
        /** It did not answer: nobody can say. */
        UNKNOWN
    }
}
