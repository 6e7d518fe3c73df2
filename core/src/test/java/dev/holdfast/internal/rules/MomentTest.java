package dev.holdfast.internal.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.model.EngineId;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Terms;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Whose word counts about the end of a hold: the clock's, or that of who watched. */
class MomentTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final EngineId THERE = new EngineId("there");

    @Test
    @DisplayName("the clock judges what was written since it can be trusted")
    void byClock() {
        Hold hold = heldAt(NOON);
        assertThat(at(NOON.plus(LEASE)).isOver(hold)).isFalse();
        assertThat(at(NOON.plus(LEASE).plusMillis(1)).isOver(hold)).isTrue();
    }

    @Test
    @DisplayName("a hold written later than it is now is from before the clock was set back: only watching ends it")
    void fromTheFuture() {
        Hold hold = heldAt(NOON);
        Instant back = NOON.minusSeconds(600);
        assertThat(at(back).judgesByClock(hold)).isFalse();
        assertThat(at(back).isOver(hold)).isFalse();
        assertThat(watched(back, hold).isOver(hold)).isTrue();
    }

    @Test
    @DisplayName("so is the sign of life of an engine")
    void signFromTheFuture() {
        Instant until = NOON.plus(Moment.ALIVE_FOR);
        Instant back = NOON.minusSeconds(600);
        assertThat(at(back).isGone(THERE, until)).isFalse();
        Moment silent = new Moment(back, back, Instant.MIN, Set.of(), Map.of(THERE, until));
        assertThat(silent.isGone(THERE, until)).isTrue();
        assertThat(at(until.plusMillis(1)).isGone(THERE, until)).isTrue();
    }

    @Test
    @DisplayName("a record tells when something in it is from the future, so that somebody watches it")
    void tellsTheFuture() {
        LockRecord record = record(heldAt(NOON));
        assertThat(Moment.isFromTheFuture(record, NOON.minusMillis(1))).isTrue();
        assertThat(Moment.isFromTheFuture(record, NOON)).isFalse();
    }

    private static Moment at(Instant now) {
        return Moment.exactly(now);
    }

    private static Moment watched(Instant now, Hold hold) {
        return new Moment(now, now, Instant.MIN, Set.of(hold), Map.of());
    }

    private static Hold heldAt(Instant when) {
        Command.Acquire ask =
                new Command.Acquire(new LeaseId("lease-one"), Scope.WHOLE, "alice", Terms.of(LEASE), Optional.empty());
        LockRecord empty = LockRecord.empty(new RecordKey("default", "lock"));
        Decision<AcquireResult> taken =
                new LockRules().acquire(empty, ask, Moment.exactly(when), DecidingEngine.of(new EngineId("here")));
        return taken.record().holds().get(0);
    }

    private static LockRecord record(Hold hold) {
        Command.Acquire ask =
                new Command.Acquire(hold.leaseId(), hold.scope(), hold.owner(), hold.terms(), Optional.empty());
        LockRecord empty = LockRecord.empty(new RecordKey("default", "lock"));
        return new LockRules()
                .acquire(empty, ask, Moment.exactly(hold.renewedAt()), DecidingEngine.of(new EngineId("here")))
                .record();
    }
}
