package dev.holdfast.server.notify;

import java.time.Instant;

/**
 * How far a webhook was told.
 *
 * @param after everything in the log up to this number
 * @param waitsUntil every wait that had become long by then
 */
record Position(long after, Instant waitsUntil) {
    Position after(long number) {
        return new Position(number, waitsUntil);
    }

    Position waitsUntil(Instant time) {
        return new Position(after, time);
    }
}
