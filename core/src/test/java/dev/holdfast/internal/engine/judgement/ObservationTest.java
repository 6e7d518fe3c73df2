package dev.holdfast.internal.engine.judgement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.internal.rules.Moment;
import dev.holdfast.model.EngineId;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.Past;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Stamp;
import dev.holdfast.model.Terms;
import dev.holdfast.model.Times;
import dev.holdfast.model.Token;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Judging by watching, where no clock can be believed. */
class ObservationTest {
    private static final long SECOND = 1_000_000_000L;
    private static final LeaseId ID = LeaseId.ofBits(1, 1);
    private static final Instant END = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration LEASE = Duration.ofSeconds(10);

    private final Observation observation = new Observation(new Judgement());

    @Test
    @DisplayName("a hold seen unchanged for its whole lease has ended, not earlier")
    void outlived() {
        LockRecord record = held(END, Terms.of(LEASE));
        observation.note(record, 0);
        assertThat(observation.outlived(record, 10 * SECOND)).isEmpty();
        observation.note(record, 9 * SECOND);
        assertThat(observation.outlived(record, 13 * SECOND)).containsExactlyElementsOf(record.holds());
    }

    @Test
    @DisplayName(
            "a watcher whose clock is slewed as fast as chrony does, and a holder's as slowly, leave the holder its time")
    void slewedClocks() {
        double slew = 83_333e-6; // chrony's default maxslewrate
        LockRecord record = held(END, Terms.of(LEASE));
        observation.note(record, 0);
        Duration believed = new Judgement().trust(LEASE);
        double trueNanos = believed.toNanos() / (1 - slew);
        assertThat(observation.outlived(record, (long) (trueNanos * (1 + slew))))
                .isEmpty();
    }

    @Test
    @DisplayName("an end that was rounded up to a whole second is watched in full")
    void roundedEnd() {
        LockRecord record = held(END.plus(LEASE).plusMillis(900), Terms.of(LEASE));
        observation.note(record, 0);
        assertThat(observation.outlived(record, 13 * SECOND)).isEmpty();
        assertThat(observation.outlived(record, 14 * SECOND)).containsExactlyElementsOf(record.holds());
    }

    @Test
    @DisplayName("a hold that was never noted has not ended, however long one waits")
    void neverNoted() {
        assertThat(observation.outlived(held(END, Terms.of(LEASE)), 1_000 * SECOND))
                .isEmpty();
    }

    @Test
    @DisplayName("a renewal starts the watch anew")
    void renewed() {
        observation.note(held(END, Terms.of(LEASE)), 0);
        LockRecord renewed = held(END.plusSeconds(5), Terms.of(LEASE));
        assertThat(observation.outlived(renewed, 60 * SECOND))
                .as("not the hold that was watched")
                .isEmpty();
        observation.note(renewed, 8 * SECOND);
        assertThat(observation.outlived(renewed, 17 * SECOND)).isEmpty();
        assertThat(observation.outlived(renewed, 21 * SECOND)).containsExactlyElementsOf(renewed.holds());
    }

    @Test
    @DisplayName("a hold that went and came back is watched anew")
    void wentAndCame() {
        LockRecord record = held(END, Terms.of(LEASE));
        observation.note(record, 0);
        observation.note(LockRecord.empty(record.key()), 5 * SECOND);
        observation.note(record, 6 * SECOND);
        assertThat(observation.outlived(record, 15 * SECOND)).isEmpty();
    }

    @Test
    @DisplayName("a hold without end is never outlived")
    void never() {
        LockRecord record = held(Times.NEVER, Terms.of(LEASE));
        observation.note(record, 0);
        assertThat(observation.outlived(record, 1_000_000 * SECOND)).isEmpty();
    }

    @Test
    @DisplayName("a minimum hold longer than the lease is watched in full")
    void minHold() {
        Terms terms = new Terms(LEASE, Duration.ZERO, Duration.ofSeconds(60), Map.of(), "");
        LockRecord record = held(END, terms);
        observation.note(record, 0);
        assertThat(observation.outlived(record, 30 * SECOND)).isEmpty();
        assertThat(observation.outlived(record, 73 * SECOND)).containsExactlyElementsOf(record.holds());
    }

    @Test
    @DisplayName("an engine without a sign for as long as a sign counts is silent; a sign starts anew")
    void silent() {
        EngineId engine = new EngineId("other");
        observation.note(alive(engine, END), 0);
        long ttl = Moment.ALIVE_FOR.toNanos();
        assertThat(observation.silent(ttl)).isEmpty();
        assertThat(observation.silent(ttl + ttl / 4)).containsOnly(Map.entry(engine, END));
        observation.note(alive(engine, END.plusSeconds(1)), ttl);
        assertThat(observation.silent(ttl + SECOND)).isEmpty();
        observation.note(LockRecord.empty(new RecordKey("default", "lock")), ttl);
        assertThat(observation.silent(10 * ttl)).as("it left").isEmpty();
    }

    private static LockRecord held(Instant end, Terms terms) {
        Hold hold = new Hold(
                ID, Scope.WHOLE, "o", new Token(1), END, END, end, terms, Hold.Phase.HELD, Optional.empty(), false);
        return record(List.of(hold), Map.of());
    }

    private static LockRecord alive(EngineId engine, Instant until) {
        return record(List.of(), Map.of(engine, until));
    }

    private static LockRecord record(List<Hold> holds, Map<EngineId, Instant> alive) {
        return new LockRecord(
                1,
                new RecordKey("default", "lock"),
                new Stamp(1),
                new Token(1),
                holds,
                List.of(),
                alive,
                Past.NONE,
                Map.of());
    }
}
