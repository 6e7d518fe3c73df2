package dev.holdfast.server.overview;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.model.EventType;
import dev.holdfast.model.LockEvent;
import dev.holdfast.model.Times;
import dev.holdfast.wire.Rfc3339;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Lines of the last quarter of an hour: how many held and waited, how often a lock was granted, how long that took. How many there were
 * is found backwards: as many as now, less those who came since and more those who went.
 */
final class ActivityLines {
    private static final int STEPS = 60;
    private static final Duration STEP = RecentActivity.SPAN.dividedBy(STEPS);
    private static final Duration LAST_MINUTE = Duration.ofMinutes(1);

    private final Instant from;
    private final Instant now;
    private final List<OptionalDouble> held = new ArrayList<>();
    private final List<OptionalDouble> waiting = new ArrayList<>();
    private final List<OptionalDouble> grants = new ArrayList<>();
    private final List<OptionalDouble> waits = new ArrayList<>();
    private final double grantsPerSecond;
    private final double p99;

    /** @param events newest first, all since {@code from} */
    ActivityLines(List<LockEvent> events, Instant from, Instant now, int holders, int waiters) {
        this.from = from;
        this.now = now;
        this.grantsPerSecond = rate(events);
        this.p99 = p99(events);
        draw(events, holders, waiters);
        List.of(held, waiting, grants, waits).forEach(Collections::reverse);
    }

    private double rate(List<LockEvent> events) {
        Instant start = Times.later(now.minus(LAST_MINUTE), from);
        double seconds = Duration.between(start, now).toMillis() / 1e3;
        long count = events.stream()
                .filter(event ->
                        event.type() == EventType.ACQUIRED && !event.at().isBefore(start))
                .count();
        return seconds <= 0 ? 0 : rounded(count / seconds);
    }

    private static double p99(List<LockEvent> events) {
        long[] all = events.stream()
                .filter(event -> event.type() == EventType.ACQUIRED)
                .mapToLong(event -> event.lasted().toMillis())
                .sorted()
                .toArray();
        return all.length == 0 ? 0 : all[Math.min(all.length - 1, (int) (all.length * 0.99))];
    }

    private void draw(List<LockEvent> events, int holders, int waiters) {
        int next = 0;
        int holding = holders;
        int queued = waiters;
        for (int step = 1; step <= STEPS; step++) {
            Instant start = now.minus(STEP.multipliedBy(step));
            boolean known = start.plus(STEP).isAfter(from);
            int first = next;
            int holdingAtEnd = holding;
            int queuedAtEnd = queued;
            for (; next < events.size() && !events.get(next).at().isBefore(start); next++) {
                LockEvent event = events.get(next);
                holding -= holdsMore(event.type());
                queued -= waitsMore(event);
            }
            List<LockEvent> within = events.subList(first, next);
            long granted = within.stream()
                    .filter(event -> event.type() == EventType.ACQUIRED)
                    .count();
            held.add(value(known, Math.max(0, holdingAtEnd)));
            waiting.add(value(known, Math.max(0, queuedAtEnd)));
            grants.add(value(known, rounded(granted * 1e3 / STEP.toMillis())));
            waits.add(value(known, p99(within)));
        }
    }

    private static int holdsMore(EventType type) {
        return switch (type) {
            case ACQUIRED -> 1;
            case RELEASED, EXPIRED, LOST, FORCED -> -1;
            default -> 0;
        };
    }

    private static int waitsMore(LockEvent event) {
        return switch (event.type()) {
            case QUEUED -> 1;
            case ABANDONED -> -1;
            case ACQUIRED -> event.lasted().isZero() ? 0 : -1;
            default -> 0;
        };
    }

    private static OptionalDouble value(boolean known, double value) {
        return known ? OptionalDouble.of(value) : OptionalDouble.empty();
    }

    private static double rounded(double value) {
        return Math.round(value * 1e3) / 1e3;
    }

    void write(JsonGenerator json) throws IOException {
        json.writeStringField("known_from", Rfc3339.text(from));
        json.writeNumberField("step_ms", STEP.toMillis());
        json.writeNumberField("grants_per_second", grantsPerSecond);
        json.writeNumberField("wait_p99_ms", (long) p99);
        json.writeObjectFieldStart("lines");
        line(json, "held", held);
        line(json, "waiting", waiting);
        line(json, "grants_per_second", grants);
        line(json, "wait_p99_ms", waits);
        json.writeEndObject();
    }

    private static void line(JsonGenerator json, String name, List<OptionalDouble> values) throws IOException {
        json.writeArrayFieldStart(name);
        for (OptionalDouble value : values) {
            if (value.isPresent() && value.getAsDouble() == Math.rint(value.getAsDouble())) {
                json.writeNumber((long) value.getAsDouble()); // most are whole, and there are many
            } else if (value.isPresent()) {
                json.writeNumber(value.getAsDouble());
            } else {
                json.writeNull();
            }
        }
        json.writeEndArray();
    }
}
