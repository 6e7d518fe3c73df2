package dev.holdfast.bench.soak;

import java.time.Duration;
import java.util.Locale;

/**
 * What is watched, and how much it may grow. A growth counts if it is faster than {@link #allowedPerHour} and, in the time it was measured,
 * larger than what such a value wanders up and down by itself.
 */
enum Gauge {
    HEAP("heap after collection", Unit.BYTES, 2 << 20, 4 << 20, 0),
    MEMORY("memory of the process", Unit.BYTES, 16 << 20, 48 << 20, 0),
    THREADS("threads", Unit.COUNT, 1, 8, 0),
    DESCRIPTORS("open files", Unit.COUNT, 2, 16, 0),
    FILES("files of the store", Unit.BYTES, 1 << 20, 6 << 20, 0),
    EVENTS("events kept", Unit.COUNT, 50, 100, 0.25),
    LOCKS("locks kept", Unit.COUNT, 20, 50, 0.25),
    VERSIONS("versions of state kept", Unit.COUNT, 5, 40, 0),
    MEDIAN("answer to an acquire, median", Unit.MICROS, 1_000, 10_000, 1),
    SLOWEST("answer to an acquire, 99 %", Unit.MICROS, 10_000, 100_000, 1);

    /** How a value is written for people; in JSON it is the plain number. */
    enum Unit {
        BYTES,
        COUNT,
        MICROS;

        String text(double value) {
            return switch (this) {
                case BYTES -> number(value / (1 << 20), "%,.1f MB");
                case COUNT -> number(value, "%,.0f");
                case MICROS -> number(value / 1_000, "%,.1f ms");
            };
        }

        private static String number(double value, String format) {
            return String.format(Locale.ROOT, format, value);
        }

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final String title;
    private final Unit unit;
    private final double allowedPerHour;
    private final double wander;
    private final double wanderOfLevel;

    Gauge(String title, Unit unit, double allowedPerHour, double wander, double wanderOfLevel) {
        this.title = title;
        this.unit = unit;
        this.allowedPerHour = allowedPerHour;
        this.wander = wander;
        this.wanderOfLevel = wanderOfLevel;
    }

    String title() {
        return title;
    }

    Unit unit() {
        return unit;
    }

    double allowedPerHour() {
        return allowedPerHour;
    }

    /**
     * How long after the start it is not judged at the least. A lock that ended is remembered for ten minutes, however soon it may be forgotten
     * otherwise: before that, none goes.
     */
    Duration settles() {
        return this == LOCKS ? Duration.ofMinutes(11) : Duration.ZERO;
    }

    /** How far it moves by itself when it is about this large. */
    double wander(double level) {
        return Math.max(wander, wanderOfLevel * level);
    }

    /** Its name in JSON. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
