package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.Attempt;
import dev.holdfast.Holder;
import dev.holdfast.Inspector;
import dev.holdfast.LockClient;
import dev.holdfast.LockService;
import dev.holdfast.LockView;
import dev.holdfast.internal.engine.EngineConfig;
import dev.holdfast.model.EventType;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LockEvent;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.Note;
import dev.holdfast.model.Terms;
import dev.holdfast.model.Token;
import dev.holdfast.spi.EventLog;
import dev.holdfast.spi.EventLog.EventQuery;
import dev.holdfast.spi.EventLog.StoredEvent;
import dev.holdfast.spi.ScanRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Force-unlock, inspection, history, events and cleaning up. Rules 3, 8, 9. */
abstract class LookCases extends LockCases {

    // ---- force

    @Test
    @DisplayName("force with the token that was seen ends the hold, raises the fence, and hands over")
    void forceEndsTheHold() {
        Node alice = node("alice");
        Node bob = node("bob");
        Hold victim = granted(alice.ask("a").now());
        LockService.Asking next = bob.ask("b").queue();
        Holder forced = bob.force(victim.token()).orThrow();
        assertThat(forced.token()).isEqualTo(victim.token());
        assertThat(forced.owner()).isEqualTo("alice");
        assertThat(awaitGranted(next).token()).isGreaterThan(victim.token());
    }

    @Test
    @DisplayName("force raises the fence though nobody holds afterwards")
    void forceRaisesTheFence() {
        Node alice = node("alice");
        Hold victim = granted(alice.ask("a").now());
        node("bob").force(victim.token());
        assertThat(alice.record().fence()).isGreaterThan(victim.token());
        assertThat(alice.record().isIdle()).isTrue();
    }

    @Test
    @DisplayName("force with a token that has changed is refused, and the present holder keeps the lock")
    void forceWithOldToken() {
        Node alice = node("alice");
        Hold seen = granted(alice.ask("a").now());
        alice.release("a");
        Hold present = granted(alice.ask("b").now());
        Node bob = node("bob");
        LockRecord before = alice.record();
        assertThat(bob.force(seen.token())).isInstanceOf(Attempt.Busy.class);
        assertThat(alice.record()).isEqualTo(before);
        Attempt<Holder> told = bob.client.inspect().forceUnlock(KEY, seen.token(), "stuck");
        assertThat(told).isInstanceOf(Attempt.Busy.class);
        assertThat(((Attempt.Busy<Holder>) told).holders())
                .extracting(Holder::token)
                .containsExactly(present.token());
        assertThat(events(bob, EventType.FORCED)).isEmpty();
    }

    @Test
    @DisplayName("force is recorded with who did it, why, and to whom")
    void forceIsAudited() {
        Node alice = node("alice");
        Hold victim = granted(alice.ask("a").now());
        Node bob = node("bob");
        Attempt<Holder> forced = bob.client.inspect().forceUnlock(KEY, victim.token(), "host is gone");
        assertThat(forced).isInstanceOf(Attempt.Done.class);
        assumeHistory(bob);
        List<LockEvent> audit = events(bob, EventType.FORCED);
        assertThat(audit).hasSize(1);
        assertThat(audit.get(0).actor()).isEqualTo("bob");
        assertThat(audit.get(0).reason()).isEqualTo("host is gone");
        assertThat(audit.get(0).owner()).isEqualTo("alice");
        assertThat(audit.get(0).token()).isEqualTo(victim.token());
    }

    @Test
    @DisplayName("force needs a reason and somebody who does it")
    void forceNeedsAReason() {
        Node alice = node("alice");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> alice.client.inspect().forceUnlock(KEY, new Token(1), ""))
                .withMessageContaining("reason");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> alice.client.inspect().forceUnlockAsync(KEY, new Token(1), "", "why"))
                .withMessageContaining("actor");
    }

    // ---- inspect

    @Test
    @DisplayName("a look shows who holds, who waits in which order, and what they say about it")
    void inspect() {
        Node alice = node("alice");
        Terms terms = new Terms(LONG, Duration.ofSeconds(30), Duration.ZERO, Map.of("ci", "42"), "deploying");
        Hold held = granted(alice.ask("a").with(terms).now());
        Node bob = node("bob");
        bob.ask("b").queue();
        alice.ask("c").by("carol").queue();

        LockView view = bob.client.inspect().get(KEY);

        assertThat(view.isFree()).isFalse();
        Holder holder = view.holders().get(0);
        assertThat(holder.owner()).isEqualTo("alice");
        assertThat(holder.reason()).isEqualTo("deploying");
        assertThat(holder.metadata()).containsEntry("ci", "42");
        assertThat(holder.token()).isEqualTo(held.token());
        assertThat(holder.expiresAt()).contains(held.expiresAt());
        assertThat(view.waiters()).extracting(LockView.Waiting::owner).containsExactly("bob", "carol");
        assertThat(view.waiters()).extracting(LockView.Waiting::position).containsExactly(1, 2);
        assertThat(view.toString())
                .as("the lease id is a secret")
                .doesNotContain(held.leaseId().value());
    }

    @Test
    @DisplayName("a lock nobody used is shown free, and so is one that expired")
    void inspectFree() {
        Node alice = node("alice");
        assertThat(alice.client.inspect().get(LockKey.of("default", "unused")).isFree())
                .isTrue();
        granted(alice.ask("a").lease(LEASE).now());
        assertThat(alice.client.inspect().get(KEY).isFree()).isFalse();
        advance(PAST_LEASE);
        assertThat(node("bob").client.inspect().get(KEY).isFree()).isTrue();
    }

    @Test
    @DisplayName("a listing of the busy shows held locks only")
    void listing() {
        Node alice = node("alice");
        granted(alice.ask("a").of(LockKey.of("default", "x")).now());
        granted(alice.ask("b").of(LockKey.of("default", "y")).now());
        Await.get(alice.locks.release(LockKey.of("default", "y").record(), id("b")));
        assertThat(alice.client.inspect().list(ScanRequest.all().busy()).locks())
                .extracting(view -> view.key().name())
                .containsExactly("x");
        assertThat(alice.client.inspect().list(ScanRequest.all()).locks()).hasSize(2);
    }

    // ---- history and events

    @Test
    @DisplayName("the history tells every turn of a lock's life, in order")
    void history() {
        Node alice = node("alice");
        assumeHistory(alice);
        Terms watched = new Terms(LONG, Duration.ofMillis(200), Duration.ZERO, Map.of(), "");
        granted(alice.ask("a").with(watched).now());
        LockService.Asking leaving = alice.ask("b").queue();
        leaving.cancel();
        Await.until("it left", () -> alice.record().queue().isEmpty());
        advance(PAST_LEASE);
        alice.client.inspect().cleanup(false);
        alice.release("a");
        granted(alice.ask("c").lease(LEASE).now());
        advance(PAST_LEASE);
        Hold last = granted(alice.ask("d").now());
        alice.force(last.token());

        assertThat(turns(alice))
                .containsExactly(
                        EventType.ACQUIRED,
                        EventType.QUEUED,
                        EventType.ABANDONED,
                        EventType.STALE,
                        EventType.RELEASED,
                        EventType.ACQUIRED,
                        EventType.EXPIRED,
                        EventType.ACQUIRED,
                        EventType.FORCED);
    }

    @Test
    @DisplayName("a hand-over to another process is recorded as one acquisition, with how long it waited")
    void handOverIsRecordedOnce() {
        Node alice = node("alice");
        assumeHistory(alice);
        granted(alice.ask("a").now());
        LockService.Asking next = node("bob").ask("b").queue();
        advance(LEASE);
        alice.release("a");
        awaitGranted(next);
        List<LockEvent> acquired = events(alice, EventType.ACQUIRED);
        assertThat(acquired).extracting(LockEvent::owner).containsExactly("bob", "alice");
        assertThat(acquired.get(0).lasted()).isGreaterThanOrEqualTo(LEASE.minusMillis(100));
    }

    @Test
    @DisplayName("what is noted about a protected thing stands in the history of its lock, and changes nothing else")
    void notes() {
        Node alice = node("alice");
        assumeHistory(alice);
        Hold hold = granted(alice.ask("a").now());
        Note note = new Note(
                EventType.STATE_SAVED,
                LockPath.of("api"),
                Optional.of(hold.leaseId()),
                "alice",
                hold.token(),
                "deploy",
                Map.of("version", "7"));
        boolean kept = Await.get(alice.client.remember(KEY, note));
        assumeTrue(kept, "notes are made where the engine is");
        assertThat(events(alice, EventType.STATE_SAVED)).singleElement().satisfies(event -> {
            assertThat(event.type().label()).isEqualTo("state.saved");
            assertThat(event.owner()).isEqualTo("alice");
            assertThat(event.actor()).isEqualTo("alice");
            assertThat(event.token()).isEqualTo(hold.token());
            assertThat(event.lease()).isEqualTo(hold.leaseId().fingerprint());
            assertThat(event.reason()).isEqualTo("deploy");
            assertThat(event.metadata()).isEqualTo(Map.of("version", "7"));
            assertThat(event.scope().paths()).containsExactly(LockPath.of("api"));
        });
        assertThat(alice.record().holds()).containsExactly(hold);
        busy(node("bob").ask("b").now());
        alice.release("a");
        Note done = Note.of(EventType.CLEANUP_DONE, "alice", "", Map.of());
        Await.get(alice.client.remember(LockKey.of("default", "never-locked"), done));
        assertThat(events(alice, EventType.CLEANUP_DONE)).hasSize(1);
        assertThat(granted(node("bob")
                        .ask("c")
                        .of(LockKey.of("default", "never-locked"))
                        .now()))
                .isNotNull();
    }

    @Test
    @DisplayName("a subscriber hears of all processes, in order, until it ends")
    void watch() {
        Node alice = node("alice");
        Node bob = node("bob");
        assumeHistory(alice);
        List<EventType> heard = new CopyOnWriteArrayList<>();
        LockClient.Subscription subscription =
                bob.client.watch(event -> heard.add(event.event().type()));
        settle();
        granted(alice.ask("a").now());
        alice.release("a");
        granted(bob.ask("b").now());
        settle();
        Await.until("all were heard", () -> heard.size() == 3);
        assertThat(heard).containsExactly(EventType.ACQUIRED, EventType.RELEASED, EventType.ACQUIRED);
        subscription.close();
        bob.release("b");
        settle();
        assertThat(heard).hasSize(3);
    }

    @Test
    @DisplayName("a subscriber that throws hears the next event")
    void throwingSubscriber() {
        Node alice = node("alice");
        List<EventType> heard = new CopyOnWriteArrayList<>();
        try (LockClient.Subscription subscription = alice.client.watch(event -> {
            heard.add(event.event().type());
            throw new IllegalStateException("subscriber fails");
        })) {
            assertThat(subscription).isNotNull();
            settle();
            granted(alice.ask("a").now());
            alice.release("a");
            settle();
            Await.until("both were heard", () -> heard.size() == 2);
        }
    }

    @Test
    @DisplayName("a subscriber hears what happens from then on, not what happened while nobody listened")
    void newSubscriberHearsNothingOld() {
        Node alice = node("alice");
        alice.client.watch(event -> {}).close();
        settle();
        granted(alice.ask("old").now());
        alice.release("old");
        List<StoredEvent> heard = new CopyOnWriteArrayList<>();
        try (LockClient.Subscription subscription = alice.client.watch(heard::add)) {
            assertThat(subscription).isNotNull();
            settle();
            granted(alice.ask("new").now());
            settle();
            Await.until("the new event was heard", () -> !heard.isEmpty());
            assertThat(heard)
                    .extracting(event -> event.event().lease())
                    .containsExactly(id("new").fingerprint());
        }
    }

    /** Longer than the feed needs to look at the log. */
    private void settle() {
        advance(Duration.ofMillis(600));
    }

    // ---- cleaning up

    @Test
    @DisplayName("cleaning up ends what expired; a dry run only counts")
    void cleanup() {
        LockKey left = LockKey.of("default", "left-by-the-dead"); // that nobody waited for, in an earlier case either
        Node alice = node("alice");
        granted(alice.ask("a").of(left).lease(LEASE).now());
        advance(PAST_LEASE);
        // Where the time of the store is measured over a busy line, it is known to be past the end a little later.
        Await.until(
                "a dry run counts it",
                () -> alice.client.inspect().cleanup(true).judged() == 1);
        assertThat(alice.record(left).holds()).hasSize(1);
        Inspector.CleanupReport done = alice.client.inspect().cleanup(false);
        assertThat(done.judged()).isEqualTo(1);
        assertThat(done.locks()).containsExactly(left.record());
        assertThat(alice.record(left).holds()).isEmpty();
        assertThat(alice.client.inspect().cleanup(false).judged()).isZero();
    }

    @Test
    @DisplayName("nobody has to ask for it: it is done when a process starts, and every ten minutes")
    void cleansUpByItself() {
        assumeTrue(fixture().skipsTime(), "takes ten minutes");
        Node alice = node("alice");
        advance(Duration.ofSeconds(3)); // hers at the start is over
        granted(alice.ask("a").lease(LEASE).now());
        advance(PAST_LEASE);
        assertThat(alice.record().holds()).as("expired, and still there").hasSize(1);
        node("bob", EngineConfig.DEFAULT);
        advance(Duration.ofSeconds(3));
        Await.until(
                "it was cleaned up at the start", () -> alice.record().holds().isEmpty());
        granted(alice.ask("b").lease(LEASE).now());
        advance(PAST_LEASE);
        assertThat(alice.record().holds()).as("expired, and still there").hasSize(1);
        advance(Duration.ofMinutes(10));
        Await.until("it was cleaned up again", () -> alice.record().holds().isEmpty());
    }

    @Test
    @DisplayName("an idle lock is forgotten after the retention, and its next token is still above the last")
    void purge() {
        assumeTrue(fixture().skipsTime(), "takes a day");
        Node alice = node("alice");
        Hold first = granted(alice.ask("a").now());
        alice.release("a");
        advance(Duration.ofHours(23));
        alice.client.inspect().cleanup(false);
        assertThat(alice.stored(KEY)).isPresent();
        advance(Duration.ofHours(2));
        alice.client.inspect().cleanup(false);
        assertThat(alice.stored(KEY)).isEmpty();
        assertThat(granted(alice.ask("b").now()).token()).isGreaterThan(first.token());
        assertThat(granted(
                        node("bob").ask("c").of(LockKey.of("default", "other")).now()))
                .isNotNull();
    }

    @Test
    @DisplayName("a held or waited-for lock is never forgotten")
    void heldIsNotPurged() throws Exception {
        assumeTrue(fixture().skipsTime(), "takes a day");
        Node alice = node("alice");
        // Renewed by hand: by itself it would be thousands of times.
        granted(alice.ask("a").lease(Duration.ofHours(24)).now());
        advance(Duration.ofHours(20));
        assertThat(alice.renew("a")).isInstanceOf(Attempt.Done.class);
        advance(Duration.ofHours(10));
        alice.client.inspect().cleanup(false);
        busy(node("bob").ask("b").now());
    }

    private static void assumeHistory(Node node) {
        assumeTrue(node.store instanceof EventLog, "this store keeps no history");
    }

    private static List<LockEvent> events(Node node, EventType type) {
        return node.client.inspect().history(EventQuery.newest(100)).stream()
                .map(StoredEvent::event)
                .filter(event -> event.type() == type)
                .toList();
    }

    private static List<EventType> turns(Node node) {
        return node.client.inspect().history(EventQuery.after(0, 100)).stream()
                .map(event -> event.event().type())
                .filter(type -> !type.isNote()) // a server notes its clean-ups too
                .toList();
    }
}
