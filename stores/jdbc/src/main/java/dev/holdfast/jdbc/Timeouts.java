package dev.holdfast.jdbc;

import java.time.Duration;

/** The one way a timeout out of its range is refused. */
final class Timeouts {
    private Timeouts() {}

    static void check(String what, Duration value, Duration max) {
        if (value.toMillis() < 1 || value.compareTo(max) > 0) {
            throw new IllegalArgumentException(
                    what + " '" + value + "' must be between 1ms and " + max.toSeconds() + "s");
        }
    }
}
