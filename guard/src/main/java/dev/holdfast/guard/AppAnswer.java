package dev.holdfast.guard;

import java.time.Instant;
import java.util.Locale;
import java.util.OptionalInt;

/**
 * What one look at an app found, by the app's own account of its answers.
 *
 * @param kind what it says
 * @param httpCode of the answer, if there was one
 * @param at when it was looked at
 * @param detail for people: what was answered, or what went wrong; short
 */
public record AppAnswer(Kind kind, OptionalInt httpCode, Instant at, String detail) {
    public enum Kind {
        /** It answered, so it runs. */
        UP,
        /** It answered that it does not work. */
        DOWN,
        /** Nobody listens where it should. */
        REFUSED,
        /** It answered something that says neither. */
        UNCLEAR,
        /** It did not answer in time, or could not be asked. */
        NO_ANSWER;

        /** Its public name. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
