package dev.holdfast.internal.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.model.Account;
import dev.holdfast.model.Cause;
import dev.holdfast.model.Done;
import dev.holdfast.model.EngineId;
import dev.holdfast.model.EventType;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockEvent;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.Mode;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Terms;
import dev.holdfast.model.Times;
import dev.holdfast.model.Token;
import dev.holdfast.model.Waiter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Each rule in plain terms: a record, a command, a moment; no engine, no store, no clock. */
class LockRulesTest {
    private static final EngineId HERE = new EngineId("here");
    private static final EngineId THERE = new EngineId("there");
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration CLAIM = Duration.ofSeconds(3);

    private final LockRules rules = new LockRules();
    private LockRecord record = LockRecord.empty(new RecordKey("default", "lock"));
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private List<LockEvent> events = List.of();
    private Optional<Instant> notBefore = Optional.empty();

    // ---- rule 1

    @Test
    @DisplayName("1: a grant needs every live conflicting hold gone")
    void conflictingHold() {
        granted(take("a"));
        assertThat(take("b")).isInstanceOf(AcquireResult.Busy.class);
        pass(LEASE.plusSeconds(1));
        granted(take("c"));
        assertThat(notBefore).as("the store checks its own clock too").isPresent();
    }

    @Test
    @DisplayName("1: at its very end a hold is still in the way")
    void notYetOver() {
        Hold hold = granted(take("a"));
        now = hold.expiresAt();
        assertThat(take("b")).isInstanceOf(AcquireResult.Busy.class);
        now = now.plusNanos(1_000);
        granted(take("c"));
    }

    @Test
    @DisplayName("1: no barging past an earlier waiter that conflicts")
    void noBarging() {
        granted(acquire("r", Mode.SHARED, false, HERE));
        assertThat(acquire("w", Mode.EXCLUSIVE, true, HERE)).isInstanceOf(AcquireResult.Queued.class);
        assertThat(acquire("r2", Mode.SHARED, false, HERE)).isInstanceOf(AcquireResult.Busy.class);
    }

    @Test
    @DisplayName("1: a waiter of a dead engine is in nobody's way")
    void deadWaiter() {
        granted(acquire("r", Mode.SHARED, false, HERE));
        acquire("w", Mode.EXCLUSIVE, true, THERE);
        pass(Moment.ALIVE_FOR.plusSeconds(1));
        granted(acquire("r2", Mode.SHARED, false, HERE));
        assertThat(record.queue()).isEmpty();
        assertThat(types()).contains(EventType.ABANDONED);
    }

    // ---- rule 2

    @Test
    @DisplayName("2: a release hands over in the same decision")
    void handOver() {
        granted(take("a"));
        acquire("b", Mode.EXCLUSIVE, true, THERE);
        release("a");
        assertThat(record.holds()).extracting(Hold::leaseId).containsExactly(id("b"));
        assertThat(record.queue()).isEmpty();
    }

    @Test
    @DisplayName("2: every waiter that can be granted is, first come first")
    void handOverToAllReaders() {
        granted(take("a"));
        acquire("r1", Mode.SHARED, true, THERE);
        acquire("r2", Mode.SHARED, true, THERE);
        acquire("w", Mode.EXCLUSIVE, true, THERE);
        acquire("r3", Mode.SHARED, true, THERE);
        release("a");
        assertThat(record.holds()).extracting(Hold::leaseId).containsExactly(id("r1"), id("r2"));
        assertThat(record.queue()).extracting(Waiter::leaseId).containsExactly(id("w"), id("r3"));
    }

    @Test
    @DisplayName("2: a waiter with no claim window is granted only when it calls")
    void grantedOnlyWhenItCalls() {
        granted(take("a"));
        apply(new Command.Acquire(id("b"), Scope.WHOLE, "owner", Terms.of(LEASE), Optional.of(Duration.ZERO)), THERE);
        release("a");
        assertThat(record.holds()).isEmpty();
        granted(acquire("b", Mode.EXCLUSIVE, true, THERE));
    }

    // ---- rule 3

    @Test
    @DisplayName("3: tokens grow, and are not below the clock")
    void tokens() {
        Hold first = granted(take("a"));
        assertThat(first.token().value()).isEqualTo(Times.micros(now));
        release("a");
        assertThat(granted(take("b")).token().value()).isEqualTo(first.token().value() + 1);
        release("b");
        now = now.minusSeconds(3_600);
        assertThat(granted(take("c")).token().value())
                .as("also on a clock that went back")
                .isEqualTo(first.token().value() + 2);
    }

    // ---- rule 4

    @Test
    @DisplayName("4: the same lease id keeps its hold and token, and is never shortened")
    void sameId() {
        Hold first = granted(take("a"));
        pass(Duration.ofSeconds(10));
        Hold again = granted(apply(
                new Command.Acquire(id("a"), Scope.WHOLE, "owner", Terms.of(Duration.ofSeconds(1)), Optional.empty()),
                HERE));
        assertThat(again.token()).isEqualTo(first.token());
        assertThat(again.expiresAt()).isEqualTo(first.expiresAt());
        assertThat(record.holds()).hasSize(1);
    }

    @Test
    @DisplayName("4: a waiter that asks again keeps its position and moves to the calling engine")
    void sameWaiter() {
        granted(take("a"));
        acquire("b", Mode.EXCLUSIVE, true, HERE);
        acquire("c", Mode.EXCLUSIVE, true, HERE);
        AcquireResult again = acquire("b", Mode.EXCLUSIVE, true, THERE);
        assertThat(((AcquireResult.Queued) again).position()).isEqualTo(1);
        assertThat(record.queue().get(0).engine()).isEqualTo(THERE);
        withdraw("b", HERE);
        assertThat(record.position(id("b"))).as("only its engine may drop it").isEqualTo(1);
        withdraw("b", THERE);
        assertThat(record.position(id("b"))).isZero();
    }

    @Test
    @DisplayName("4: the same lease id for something else is refused as reused")
    void reused() {
        granted(take("a"));
        assertThat(acquire("a", Mode.SHARED, false, HERE)).isEqualTo(new AcquireResult.Lost(LostReason.REUSED));
        acquire("b", Mode.EXCLUSIVE, true, HERE);
        assertThat(acquire("b", Mode.SHARED, true, HERE)).isEqualTo(new AcquireResult.Lost(LostReason.REUSED));
    }

    // ---- rule 5

    @Test
    @DisplayName("5: a renewal counts from now, is not additive, and changes the length if asked")
    void renew() {
        granted(take("a"));
        pass(Duration.ofSeconds(10));
        assertThat(renewed("a", Optional.empty()).expiresAt()).isEqualTo(now.plus(LEASE));
        assertThat(renewed("a", Optional.empty()).expiresAt()).isEqualTo(now.plus(LEASE));
        assertThat(renewed("a", Optional.of(Duration.ofSeconds(50))).expiresAt())
                .isEqualTo(now.plusSeconds(50));
        pass(Duration.ofSeconds(10));
        assertThat(renewed("a", Optional.empty()).expiresAt()).isEqualTo(now.plusSeconds(50));
    }

    @Test
    @DisplayName("5: what expired is never revived")
    void expired() {
        granted(take("a"));
        pass(LEASE.plusSeconds(1));
        RenewResult lost = apply(new Command.Renew(id("a"), Optional.empty()), HERE);
        assertThat(lost).isEqualTo(new RenewResult.Lost(LostReason.EXPIRED));
        assertThat(types()).containsExactly(EventType.EXPIRED);
        assertThat(events.get(0).lasted())
                .as("held to its end, not until somebody looked")
                .isEqualTo(LEASE);
    }

    @Test
    @DisplayName("5: a renewal for less does not shorten what the holder believes in, and says what counts")
    void renewNeverShortens() {
        Hold hold = granted(take("a"));
        pass(Duration.ofSeconds(10));
        Hold renewed = renewed("a", Optional.of(Duration.ofSeconds(1)));
        assertThat(renewed.expiresAt()).isEqualTo(hold.expiresAt());
        assertThat(renewed.terms().lease()).as("what is left").isEqualTo(Duration.ofSeconds(20));
        assertThat(record.holds().get(0).terms()).as("as the holder asked for").isEqualTo(hold.terms());
        pass(Duration.ofSeconds(15));
        assertThat(take("b")).isInstanceOf(AcquireResult.Busy.class);
        assertThat(renewed("a", Optional.of(Duration.ofSeconds(7))).expiresAt()).isEqualTo(now.plusSeconds(7));
    }

    @Test
    @DisplayName("5: asking again for less does not shorten either, and a renewal gives no end to what has none")
    void askingAgainNeverShortens() {
        Hold hold = granted(take("a"));
        Terms shorter = Terms.of(Duration.ofSeconds(1));
        Hold again =
                granted(apply(new Command.Acquire(id("a"), Scope.WHOLE, "owner", shorter, Optional.empty()), HERE));
        assertThat(again.expiresAt()).isEqualTo(hold.expiresAt());
        assertThat(again.terms().lease()).isEqualTo(LEASE);
        release("a");
        granted(apply(
                new Command.Acquire(id("b"), Scope.WHOLE, "owner", Terms.of(Times.FOREVER), Optional.empty()), HERE));
        Hold endless = renewed("b", Optional.of(LEASE));
        assertThat(endless.expiresAt()).isEqualTo(Times.NEVER);
        assertThat(endless.terms().lease()).isEqualTo(Times.FOREVER);
    }

    @Test
    @DisplayName("5: an end written by a clock that was set back since is not kept, but the whole lease is")
    void renewAfterTheClockWasSetBack() {
        granted(take("a"));
        now = now.minus(Duration.ofHours(1));
        Hold renewed = renewed("a", Optional.of(Duration.ofSeconds(1)));
        assertThat(renewed.expiresAt()).isEqualTo(now.plus(LEASE));
        assertThat(renewed.terms().lease()).isEqualTo(LEASE);
    }

    // ---- rule 6

    @Test
    @DisplayName("6: release and renew by anyone else change nothing")
    void foreign() {
        granted(take("a"));
        LockRecord before = record;
        assertThat(release("b")).isEqualTo(ReleaseResult.NOT_HELD);
        RenewResult lost = apply(new Command.Renew(id("b"), Optional.empty()), HERE);
        assertThat(lost).isEqualTo(new RenewResult.Lost(LostReason.UNKNOWN));
        assertThat(record).isSameAs(before);
        assertThat(release("a")).isEqualTo(ReleaseResult.RELEASED);
        assertThat(release("a")).isEqualTo(ReleaseResult.NOT_HELD);
    }

    // ---- rule 7

    @Test
    @DisplayName(
            "7: a caller parked here gets the full lease on its own terms; another is offered it for its claim window")
    void offer() {
        granted(take("a"));
        acquire("b", Mode.EXCLUSIVE, true, THERE);
        release("a");
        Hold offered = record.holds().get(0);
        assertThat(offered.phase()).isEqualTo(Hold.Phase.OFFERED);
        assertThat(offered.expiresAt()).isEqualTo(now.plus(CLAIM));
        Hold claimed = granted(acquire("b", Mode.EXCLUSIVE, true, THERE));
        assertThat(claimed.phase()).isEqualTo(Hold.Phase.HELD);
        assertThat(claimed.token()).isEqualTo(offered.token());
        assertThat(claimed.expiresAt()).isEqualTo(now.plus(LEASE));

        apply(
                new Command.Acquire(id("c"), Scope.WHOLE, "owner", Terms.of(LEASE), Optional.of(CLAIM)),
                parked("c", LEASE));
        apply(new Command.Release(id("b"), Command.Ending.RELEASED), parked("c", Duration.ofSeconds(77)));
        assertThat(record.holds().get(0).phase()).isEqualTo(Hold.Phase.HELD);
        assertThat(record.holds().get(0).expiresAt()).isEqualTo(now.plusSeconds(77));
    }

    @Test
    @DisplayName(
            "7: an offer of an engine whose clock is ahead is claimed for the whole lease, and no renewal elsewhere makes that shorter")
    void claimedAheadOfTheClock() {
        granted(take("a"));
        acquire("b", Mode.EXCLUSIVE, true, THERE);
        pass(Duration.ofMillis(900)); // it sees time in whole seconds, and writes from the late edge
        release("a");
        now = now.minusMillis(900);
        Instant believed = now.plus(
                granted(acquire("b", Mode.EXCLUSIVE, true, THERE)).terms().lease());
        for (int i = 0; i < 5; i++) {
            pass(Duration.ofMillis(10));
            apply(new Command.Renew(id("b"), Optional.of(Duration.ofMillis(100)), Account.NONE), HERE);
            assertThat(record.holds().get(0).expiresAt()).isAfterOrEqualTo(believed);
        }
    }

    @Test
    @DisplayName("7: an unclaimed offer goes behind the others once, then is dropped")
    void missed() {
        granted(take("a"));
        acquire("b", Mode.EXCLUSIVE, true, THERE);
        acquire("c", Mode.EXCLUSIVE, true, THERE);
        release("a");
        pass(CLAIM.plusMillis(1));
        touch();
        assertThat(record.holds()).extracting(Hold::leaseId).containsExactly(id("c"));
        assertThat(record.queue()).extracting(Waiter::leaseId).containsExactly(id("b"));
        pass(CLAIM.plusMillis(1));
        touch();
        assertThat(record.holds()).extracting(Hold::leaseId).containsExactly(id("b"));
        pass(CLAIM.plusMillis(1));
        touch();
        assertThat(record.holds()).extracting(Hold::leaseId).containsExactly(id("c"));
        assertThat(record.past().how(id("b"))).contains(LostReason.ABANDONED);
    }

    @Test
    @DisplayName("7: who claims an offer has exactly the lease that was asked for, however long the offer was")
    void claimGivesTheLeaseAskedFor() {
        granted(take("a"));
        Duration window = Duration.ofSeconds(15);
        Terms brief = Terms.of(Duration.ofSeconds(2));
        Command.Acquire ask = new Command.Acquire(id("b"), Scope.WHOLE, "owner", brief, Optional.of(window));
        apply(ask, THERE);
        release("a");
        assertThat(record.holds().get(0).expiresAt()).isEqualTo(now.plus(window));
        Hold claimed = granted(apply(ask, THERE));
        assertThat(claimed.expiresAt()).isEqualTo(now.plusSeconds(2));
        assertThat(claimed.terms().lease()).isEqualTo(Duration.ofSeconds(2));
    }

    // ---- rule 8

    @Test
    @DisplayName("8: force needs the token that was seen, raises the fence, and is recorded with who and why")
    void force() {
        Hold victim = granted(take("a"));
        ForceResult changed = apply(new Command.ForceRelease(new Token(1), "op", "why"), HERE);
        assertThat(changed).isEqualTo(new ForceResult.Changed(List.of(victim)));
        assertThat(events).isEmpty();
        ForceResult forced = apply(new Command.ForceRelease(victim.token(), "op", "why"), HERE);
        assertThat(forced).isEqualTo(new ForceResult.Forced(victim));
        assertThat(record.fence()).isGreaterThan(victim.token());
        assertThat(events).hasSize(1);
        assertThat(events.get(0).actor()).isEqualTo("op");
        assertThat(events.get(0).reason()).isEqualTo("why");
        assertThat(take("a")).isEqualTo(new AcquireResult.Lost(LostReason.FORCED));
    }

    // ---- rule 9

    @Test
    @DisplayName("9: a hold not renewed for long is reported stale once, and stays")
    void stale() {
        apply(
                new Command.Acquire(id("a"), Scope.WHOLE, "owner", Terms.of(Duration.ofHours(1)), Optional.empty()),
                HERE);
        pass(Duration.ofMinutes(3));
        touch();
        assertThat(types()).containsExactly(EventType.STALE);
        assertThat(record.holds()).hasSize(1);
        touch();
        assertThat(types()).isEmpty();
        renewed("a", Optional.empty());
        assertThat(record.holds().get(0).stale()).isFalse();
    }

    // ---- rule 10

    @Test
    @DisplayName("10: several paths are granted together or not at all")
    void several() {
        Scope both = new Scope(List.of(LockPath.of("x"), LockPath.of("y")), Mode.EXCLUSIVE);
        apply(
                new Command.Acquire(
                        id("a"), Scope.of(LockPath.of("y/z"), Mode.EXCLUSIVE), "o", Terms.of(LEASE), Optional.empty()),
                HERE);
        Command.Acquire ask = new Command.Acquire(id("b"), both, "o", Terms.of(LEASE), Optional.empty());
        AcquireResult refused = apply(ask, HERE);
        assertThat(refused).isInstanceOf(AcquireResult.Busy.class);
        assertThat(record.holds()).hasSize(1);
        release("a");
        granted(apply(ask, HERE));
    }

    // ---- rule 11

    @Test
    @DisplayName("11: a lease id that ended is never granted again, however it ended")
    void ended() {
        granted(take("released"));
        release("released");
        granted(take("expired"));
        pass(LEASE.plusSeconds(1));
        granted(take("holder"));
        acquire("abandoned", Mode.EXCLUSIVE, true, HERE);
        withdraw("abandoned", HERE);
        release("holder");
        assertThat(take("released")).isEqualTo(new AcquireResult.Lost(LostReason.RELEASED));
        assertThat(take("expired")).isEqualTo(new AcquireResult.Lost(LostReason.EXPIRED));
        assertThat(take("abandoned")).isEqualTo(new AcquireResult.Lost(LostReason.ABANDONED));
        assertThat(record.isIdle()).isTrue();
    }

    // ---- rule 12

    @Test
    @DisplayName(
            "12: without a minimum hold a release frees the lock, also by an engine whose time is behind the grant")
    void releasedByTheSlow() {
        granted(take("a"));
        Moment behind = Moment.exactly(now.minusMillis(5));
        apply(new Command.Release(id("a"), Command.Ending.RELEASED), behind, DecidingEngine.of(THERE));
        assertThat(record.holds()).isEmpty();
    }

    @Test
    @DisplayName("12: a release before the minimum hold keeps the record busy until then")
    void minHold() {
        Terms terms = new Terms(LEASE, Duration.ZERO, Duration.ofSeconds(60), Map.of(), "");
        apply(new Command.Acquire(id("a"), Scope.WHOLE, "o", terms, Optional.empty()), HERE);
        pass(Duration.ofSeconds(5));
        assertThat(release("a")).isEqualTo(ReleaseResult.RELEASED);
        assertThat(types()).containsExactly(EventType.RELEASED);
        pass(Duration.ofSeconds(50));
        assertThat(take("b")).isInstanceOf(AcquireResult.Busy.class);
        pass(Duration.ofSeconds(6));
        granted(take("c"));
        assertThat(types()).as("released long ago: nothing expired").containsExactly(EventType.ACQUIRED);
    }

    // ---- time

    @Test
    @DisplayName("time is an interval: ends are written late and judged early, so an error never shortens a hold")
    void interval() {
        Moment wide = Moment.between(now, now.plusSeconds(2));
        Hold hold = granted(apply(ask("a", Mode.EXCLUSIVE, false), wide, DecidingEngine.of(HERE)));
        assertThat(hold.expiresAt()).isEqualTo(now.plusSeconds(2).plus(LEASE));
        Moment unsure = Moment.between(hold.expiresAt(), hold.expiresAt().plusSeconds(5));
        assertThat(apply(ask("b", Mode.EXCLUSIVE, false), unsure, DecidingEngine.of(HERE)))
                .isInstanceOf(AcquireResult.Busy.class);
    }

    @Test
    @DisplayName("what was written before the clock stepped is judged only by having been watched")
    void steppedClock() {
        Hold old = granted(take("a"));
        Instant later = now.plusSeconds(3_600);
        Moment distrusted = new Moment(later, later, later, Set.of(), Map.of());
        assertThat(apply(ask("b", Mode.EXCLUSIVE, false), distrusted, DecidingEngine.of(HERE)))
                .isInstanceOf(AcquireResult.Busy.class);
        Moment watched = new Moment(later, later, later, Set.of(old), Map.of());
        granted(apply(ask("c", Mode.EXCLUSIVE, false), watched, DecidingEngine.of(HERE)));
        assertThat(notBefore).as("no clock was asked").isEmpty();
    }

    // ---- bounds and bookkeeping

    @Test
    @DisplayName("once-only work is recorded with the release that completes it")
    void done() {
        Hold hold = granted(take("a"));
        apply(new Command.Release(id("a"), Command.Ending.done("v1")), HERE);
        assertThat(record.past().done()).contains(new Done("v1", "owner", hold.token(), now));
        AcquireResult next = take("b");
        assertThat(((AcquireResult.Granted) next).done().orElseThrow().generation())
                .isEqualTo("v1");
    }

    @Test
    @DisplayName("the queue has 64 places; the next hears that it is full, and nothing changes")
    void fullQueue() {
        granted(take("holder"));
        for (int i = 0; i < LockRecord.MAX_QUEUE; i++) {
            assertThat(acquire("waiter" + i, Mode.EXCLUSIVE, true, HERE)).isInstanceOf(AcquireResult.Queued.class);
        }
        LockRecord before = record;
        AcquireResult full = acquire("toomany", Mode.EXCLUSIVE, true, HERE);
        assertThat(((AcquireResult.Busy) full).full()).isTrue();
        assertThat(record).isEqualTo(before);
    }

    @Test
    @DisplayName("a refusal writes nothing")
    void refusalWritesNothing() {
        granted(take("a"));
        Decision<AcquireResult> refused =
                rules.acquire(record, ask("b", Mode.EXCLUSIVE, false), Moment.exactly(now), DecidingEngine.of(HERE));
        assertThat(refused.changed()).isFalse();
        assertThat(refused.record()).isSameAs(record);
        assertThat(refused.events()).isEmpty();
    }

    @Test
    @DisplayName("applying a command twice has the effect of applying it once")
    void idempotent() {
        granted(take("a"));
        acquire("b", Mode.EXCLUSIVE, true, THERE);
        List<Command<?>> commands = new ArrayList<>(List.of(
                ask("a", Mode.EXCLUSIVE, false),
                ask("b", Mode.EXCLUSIVE, true),
                new Command.Renew(id("a"), Optional.empty()),
                new Command.Release(id("a"), Command.Ending.RELEASED),
                new Command.Withdraw(id("b"))));
        for (Command<?> command : commands) {
            apply(command, THERE);
            LockRecord once = record;
            apply(command, THERE);
            assertThat(record)
                    .as("%s", command)
                    .usingRecursiveComparison()
                    .ignoringFields("holds.renewedAt") // each confirmation has its own
                    .isEqualTo(once);
        }
    }

    @Test
    @DisplayName("12: the minimum hold does not bind what was never used: given back undelivered, or released unused")
    void minHoldBindsOnlyWork() {
        Terms terms = new Terms(LEASE, Duration.ZERO, Duration.ofMinutes(10), Map.of(), "");
        Command.Acquire first = new Command.Acquire(id("a"), Scope.WHOLE, "owner", terms, Optional.empty());
        Hold undelivered = granted(apply(first, HERE));
        apply(Command.GiveBack.of(undelivered), HERE);
        assertThat(record.holds()).isEmpty();
        granted(apply(new Command.Acquire(id("b"), Scope.WHOLE, "owner", terms, Optional.empty()), HERE));
        apply(new Command.Release(id("b"), Command.Ending.UNUSED), HERE);
        assertThat(record.holds()).isEmpty();
        assertThat(types()).containsExactly(EventType.RELEASED);
        granted(apply(new Command.Acquire(id("c"), Scope.WHOLE, "owner", terms, Optional.empty()), HERE));
        release("c");
        assertThat(record.holds()).extracting(Hold::phase).containsExactly(Hold.Phase.LINGERING);
    }

    // ---- short ways

    private AcquireResult take(String name) {
        return acquire(name, Mode.EXCLUSIVE, false, HERE);
    }

    private AcquireResult acquire(String name, Mode mode, boolean queue, EngineId engine) {
        return apply(ask(name, mode, queue), engine);
    }

    private static DecidingEngine parked(String name, Duration lease) {
        return new DecidingEngine(
                HERE, Map.of(id(name), new DecidingEngine.Parking(Terms.of(lease), Cause.OWNER)), Cause.OWNER);
    }

    private static Command.Acquire ask(String name, Mode mode, boolean queue) {
        return new Command.Acquire(
                id(name),
                Scope.of(LockPath.WHOLE, mode),
                "owner",
                Terms.of(LEASE),
                queue ? Optional.of(CLAIM) : Optional.empty());
    }

    private ReleaseResult release(String name) {
        return apply(new Command.Release(id(name), Command.Ending.RELEASED), HERE);
    }

    private void withdraw(String name, EngineId engine) {
        apply(new Command.Withdraw(id(name)), engine);
    }

    private void touch() {
        apply(new Command.Touch(Duration.ofMinutes(2)), HERE);
    }

    private Hold renewed(String name, Optional<Duration> lease) {
        RenewResult result = apply(new Command.Renew(id(name), lease), HERE);
        return ((RenewResult.Renewed) result).hold();
    }

    private <R> R apply(Command<R> command, EngineId engine) {
        return apply(command, DecidingEngine.of(engine));
    }

    private <R> R apply(Command<R> command, DecidingEngine here) {
        return apply(command, Moment.exactly(now), here);
    }

    private <R> R apply(Command<R> command, Moment moment, DecidingEngine here) {
        Decision<R> decision = command.applyTo(rules, record, moment, here);
        record = decision.record();
        events = decision.events();
        notBefore = decision.notBefore();
        return decision.result();
    }

    private List<EventType> types() {
        return events.stream().map(LockEvent::type).toList();
    }

    private void pass(Duration time) {
        now = now.plus(time);
    }

    private static Hold granted(AcquireResult result) {
        assertThat(result).isInstanceOf(AcquireResult.Granted.class);
        return ((AcquireResult.Granted) result).hold();
    }

    private static LeaseId id(String name) {
        return new LeaseId("lease-id-" + name);
    }
}
