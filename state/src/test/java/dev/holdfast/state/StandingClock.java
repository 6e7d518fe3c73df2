package dev.holdfast.state;

import dev.holdfast.spi.time.LocalTime;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** The wall clock of a test, which stands still until it is moved. */
final class StandingClock extends Clock {
    private final LocalTime time;

    StandingClock(LocalTime time) {
        this.time = time;
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }

    @Override
    public Instant instant() {
        return time.wall();
    }
}
