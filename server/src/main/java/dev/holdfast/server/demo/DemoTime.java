package dev.holdfast.server.demo;

import dev.holdfast.spi.time.LocalTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** Clocks that are behind at first, so that what a demo shows as long held was granted long ago by the store's own time. */
final class DemoTime extends Clock implements LocalTime {
    private volatile Duration behind;

    DemoTime(Duration behind) {
        this.behind = behind;
    }

    /** From now on this far behind; less than before, as time does not go back. */
    void behind(Duration now) {
        if (now.compareTo(behind) > 0) {
            throw new IllegalArgumentException("time does not go back: behind by " + behind + ", not by " + now);
        }
        behind = now;
    }

    @Override
    public long nanos() {
        return System.nanoTime() - behind.toNanos();
    }

    @Override
    public Instant wall() {
        return Instant.now().minus(behind);
    }

    @Override
    public Instant instant() {
        return wall();
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }
}
