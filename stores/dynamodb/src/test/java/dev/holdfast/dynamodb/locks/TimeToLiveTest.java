package dev.holdfast.dynamodb.locks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.model.Done;
import dev.holdfast.model.EngineId;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.Past;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Stamp;
import dev.holdfast.model.Terms;
import dev.holdfast.model.Times;
import dev.holdfast.model.Token;
import dev.holdfast.model.Waiter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("DynamoDB removes an item by itself")
class TimeToLiveTest {
    private static final Instant GRANTED = Instant.parse("2026-01-01T00:00:00Z");
    private static final LeaseId LEASE = new LeaseId("lease-id-1");

    private final TimeToLive timeToLive = new TimeToLive(Duration.ofHours(24));

    private static LockRecord record(List<Hold> holds, Map<EngineId, Instant> alive, Past past) {
        List<Waiter> queue = alive.keySet().stream()
                .map(engine -> new Waiter(
                        new LeaseId("lease-id-2"), Scope.WHOLE, "bob", engine, Duration.ZERO, GRANTED, false))
                .toList();
        return new LockRecord(
                LockRecord.FORMAT,
                new RecordKey("default", "lock"),
                new Stamp(7),
                new Token(Times.micros(GRANTED)),
                holds,
                queue,
                alive,
                past,
                Map.of());
    }

    private static Hold until(Instant end) {
        return new Hold(
                LEASE,
                Scope.WHOLE,
                "alice",
                new Token(Times.micros(GRANTED)),
                GRANTED,
                GRANTED,
                end,
                Terms.of(Duration.ofHours(1)),
                Hold.Phase.HELD,
                Optional.empty(),
                false);
    }

    private void assertNotBefore(LockRecord record, Instant needed) {
        assertThat(timeToLive.of(record))
                .hasValueSatisfying(end -> assertThat(end).isAfter(needed).isBeforeOrEqualTo(needed.plusSeconds(1)));
    }

    @Test
    @DisplayName("after the end of the last lease, when no late duplicate of its request can come any more")
    void held() {
        Instant end = GRANTED.plusSeconds(3_600);
        assertNotBefore(
                record(List.of(until(GRANTED.plusSeconds(5)), until(end)), Map.of(), Past.NONE),
                end.plus(Past.KEEP_ENDED));
    }

    @Test
    @DisplayName("never while somebody holds it for ever")
    void heldForEver() {
        assertThat(timeToLive.of(record(List.of(until(Times.NEVER)), Map.of(), Past.NONE)))
                .isEmpty();
    }

    @Test
    @DisplayName("not before the clock alone keeps the next token above the last one, however little goes on")
    void fenced() {
        assertNotBefore(
                record(List.of(), Map.of(new EngineId("engine-1"), GRANTED), Past.NONE), GRANTED.plusSeconds(60));
    }

    @Test
    @DisplayName("not while processes with waiters count as alive")
    void waitedFor() {
        Instant alive = GRANTED.plusSeconds(900);
        assertNotBefore(
                record(
                        List.of(until(GRANTED.plusSeconds(5))),
                        Map.of(new EngineId("engine-1"), GRANTED.plusSeconds(70), new EngineId("engine-2"), alive),
                        Past.NONE),
                alive);
    }

    @Test
    @DisplayName("not while a late duplicate of an ended lease could come")
    void ended() {
        Past past = Past.NONE.with(LEASE, LostReason.RELEASED, GRANTED.plusSeconds(2));
        assertNotBefore(
                record(List.of(), Map.of(new EngineId("engine-1"), GRANTED), past),
                GRANTED.plusSeconds(2).plus(Past.KEEP_ENDED));
    }

    @Test
    @DisplayName("a day after its last use, when nobody holds it")
    void idle() {
        Instant released = GRANTED.plusSeconds(300);
        Past past = Past.NONE.with(LEASE, LostReason.RELEASED, released);
        assertNotBefore(record(List.of(), Map.of(), past), released.plus(Duration.ofHours(24)));
    }

    @Test
    @DisplayName("never while it knows that once-only work was done")
    void done() {
        Past past = Past.NONE.with(new Done("v1", "alice", new Token(1), GRANTED));
        assertThat(timeToLive.of(record(List.of(), Map.of(), past))).isEmpty();
    }
}
