package dev.holdfast.examples;

import java.time.Duration;
import java.time.format.DateTimeParseException;

/** Settings from the environment. */
final class Env {
    private Env() {}

    static String text(String name, String otherwise) {
        String value = System.getenv(name);
        return value == null || value.isBlank() ? otherwise : value;
    }

    /** A time such as {@code PT90S} or {@code PT30M}. */
    static Duration duration(String name, Duration otherwise) {
        String value = text(name, otherwise.toString());
        try {
            return Duration.parse(value);
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException(name + " must be a time such as PT30S or PT60M, was '" + value + "'", e);
        }
    }
}
