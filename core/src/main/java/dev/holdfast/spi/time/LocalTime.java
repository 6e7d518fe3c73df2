package dev.holdfast.spi.time;

import java.time.Instant;

/** The two clocks of this machine: one that only runs, and one that people set. */
public interface LocalTime {
    /** Nanoseconds since some start; never steps, comparable only within this process. */
    long nanos();

    /** What the wall clock shows; may step. */
    Instant wall();

    /** The machine's own clocks. */
    LocalTime SYSTEM = new LocalTime() {
        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public Instant wall() {
            return Instant.now();
        }
    };
}
