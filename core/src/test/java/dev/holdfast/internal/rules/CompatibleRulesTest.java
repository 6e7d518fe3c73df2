package dev.holdfast.internal.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.model.Cause;
import dev.holdfast.model.EngineId;
import dev.holdfast.model.EventType;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockEvent;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Terms;
import dev.holdfast.model.Token;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Taking again by identity, adding to a lease, and who is told to have caused what. */
class CompatibleRulesTest {
    private static final EngineId HERE = new EngineId("here");
    private static final LeaseId MINE = new LeaseId("v1.instance-1.abcdef");

    private final LockRules rules = new LockRules();
    private LockRecord record = LockRecord.empty(new RecordKey("default", "lock"));
    private Instant now = Instant.parse("2026-01-01T00:00:00.250Z");
    private List<LockEvent> events = List.of();

    @Test
    @DisplayName("the end is the end of a second, so it may be told in whole seconds")
    void wholeSeconds() {
        assertThat(granted(take(60)).expiresAt()).isEqualTo("2026-01-01T00:01:01Z");
    }

    @Test
    @DisplayName("an identity that released or expired takes the lock again, with a higher token")
    void again() {
        Token first = granted(take(60)).token();
        assertThat(apply(new Command.Release(MINE, Command.Ending.RELEASED))).isEqualTo(ReleaseResult.RELEASED);
        Token second = granted(take(60)).token();
        assertThat(second).isGreaterThan(first);
        pass(62);
        assertThat(granted(take(60)).token()).isGreaterThan(second);
    }

    @Test
    @DisplayName("taking a held lock again keeps the token and never moves the end earlier")
    void keeps() {
        Hold first = granted(take(60));
        Hold shorter = granted(take(1));
        assertThat(shorter.token()).isEqualTo(first.token());
        assertThat(shorter.expiresAt()).isEqualTo(first.expiresAt());
        pass(30);
        assertThat(granted(take(60)).expiresAt()).isEqualTo(first.expiresAt().plusSeconds(30));
    }

    @Test
    @DisplayName("somebody else's lock is busy, and a queue is not passed by")
    void busy() {
        LeaseId other = new LeaseId("other-lease");
        granted(apply(new Command.Acquire(other, Scope.WHOLE, "o", terms(60), Optional.empty())));
        assertThat(take(60)).isInstanceOf(AcquireResult.Busy.class);
        assertThat(record.queue()).isEmpty();
    }

    @Test
    @DisplayName("extending adds to the end and to the lease, up to a day from now")
    void extend() {
        Hold hold = granted(take(60));
        pass(10);
        Hold longer = extended(30);
        assertThat(longer.expiresAt()).isEqualTo(hold.expiresAt().plusSeconds(30));
        assertThat(longer.terms().lease()).isEqualTo(Duration.ofSeconds(90));
        assertThat(longer.token()).isEqualTo(hold.token());
        Hold longest = extended(86_400);
        assertThat(longest.expiresAt()).isEqualTo("2026-01-02T00:00:11Z");
        assertThat(longest.terms().lease()).isEqualTo(Terms.MAX_LEASE);
        assertThat(extended(86_400).expiresAt()).isEqualTo(longest.expiresAt());
    }

    @Test
    @DisplayName("what is not held cannot be extended")
    void extendNothing() {
        assertThat(apply(new Command.Extend(MINE, Duration.ofSeconds(5))))
                .isEqualTo(new RenewResult.Lost(LostReason.UNKNOWN));
        granted(take(60));
        pass(62);
        assertThat(apply(new Command.Extend(MINE, Duration.ofSeconds(5))))
                .isEqualTo(new RenewResult.Lost(LostReason.EXPIRED));
    }

    @Test
    @DisplayName("an event names who asked and in which request; what it brought about for others does not")
    void causes() {
        DecidingEngine alice = DecidingEngine.of(HERE).on(new Cause("alice", "r-1"));
        LeaseId waiting = new LeaseId("waiting-lease");
        granted(apply(new Command.Reacquire(MINE, "owner", terms(60)), alice));
        assertThat(events.get(0))
                .matches(e -> e.actor().equals("alice") && e.request().equals("r-1"));
        apply(new Command.Acquire(waiting, Scope.WHOLE, "w", terms(60), Optional.of(Duration.ofSeconds(3))), alice);
        DecidingEngine.Parking parking = new DecidingEngine.Parking(terms(60), new Cause("", "r-2"));
        DecidingEngine bob = new DecidingEngine(HERE, Map.of(waiting, parking), new Cause("bob", "r-3"));
        apply(new Command.Release(MINE, Command.Ending.RELEASED), bob);
        assertThat(event(EventType.RELEASED))
                .matches(e -> e.actor().equals("bob") && e.request().equals("r-3"));
        assertThat(event(EventType.ACQUIRED))
                .matches(e -> e.actor().equals("w") && e.request().equals("r-2"));
        pass(61);
        apply(new Command.Touch(Duration.ofMinutes(2)), bob);
        assertThat(event(EventType.EXPIRED))
                .matches(e -> e.actor().equals("w") && e.request().isEmpty());
    }

    @Test
    @DisplayName("a forced end names the operator's request")
    void force() {
        Hold hold = granted(take(60));
        apply(
                new Command.ForceRelease(hold.token(), "carol", "stuck"),
                DecidingEngine.of(HERE).on(new Cause("carol", "r-9")));
        assertThat(event(EventType.FORCED))
                .matches(e -> e.actor().equals("carol") && e.request().equals("r-9"));
    }

    private LockEvent event(EventType type) {
        return events.stream().filter(e -> e.type() == type).findFirst().orElseThrow();
    }

    private AcquireResult take(int seconds) {
        return apply(new Command.Reacquire(MINE, "owner", terms(seconds)));
    }

    private Hold extended(int seconds) {
        return ((RenewResult.Renewed) apply(new Command.Extend(MINE, Duration.ofSeconds(seconds)))).hold();
    }

    private static Terms terms(int seconds) {
        return new Terms(Duration.ofSeconds(seconds), Duration.ZERO, Duration.ZERO, Map.of(), "");
    }

    private <R> R apply(Command<R> command) {
        return apply(command, DecidingEngine.of(HERE));
    }

    private <R> R apply(Command<R> command, DecidingEngine here) {
        Decision<R> decision = command.applyTo(rules, record, Moment.exactly(now), here);
        record = decision.record();
        events = decision.events();
        return decision.result();
    }

    private void pass(int seconds) {
        now = now.plusSeconds(seconds);
    }

    private static Hold granted(AcquireResult result) {
        assertThat(result).isInstanceOf(AcquireResult.Granted.class);
        return ((AcquireResult.Granted) result).hold();
    }
}
