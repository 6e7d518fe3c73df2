package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.Attempt;
import dev.holdfast.Holder;
import dev.holdfast.Lease;
import dev.holdfast.LockService;
import dev.holdfast.Once;
import dev.holdfast.internal.engine.Answer;
import dev.holdfast.internal.engine.LockEngine;
import dev.holdfast.internal.engine.Request;
import dev.holdfast.internal.rules.AcquireResult;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.Past;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Terms;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.testkit.fixture.FaultyStore.Call;
import dev.holdfast.testkit.fixture.FaultyStore.Fault;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Single requests to the store that fail, hang, or leave in doubt whether they were done: an engine settles what it can. */
abstract class DoubtCases extends LockCases {
    @Test
    @DisplayName("the failure says which lock, which store, and what the store said")
    void failureTellsWhy() {
        Node alice = node("alice");
        alice.store.cut();
        CompletableFuture<Attempt<LockService.Grant>> asked = alice.ask("a").answer();
        advance(PAST_TIMEOUT);
        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> Await.get(asked))
                .withMessageContaining("'lock'")
                .withMessageContaining(alice.store.traits().name())
                .withMessageContaining("The line is cut");
    }

    @Test
    @DisplayName("a short failure is bridged, and nobody notices")
    void shortFailureIsBridged() {
        Node alice = node("alice");
        alice.store.next(Call.WRITE, 2, Fault.UNAVAILABLE);
        CompletableFuture<Attempt<LockService.Grant>> asked = alice.ask("a").answer();
        granted(awaitInTime(asked));
    }

    @Test
    @DisplayName("a renewal that hangs is a loss at the deadline, also if it goes through later")
    void hangingRenewal() throws Exception {
        Node alice = node("alice");
        Lease lease = alice.client.acquire(KEY, o -> o.lease(LEASE));
        List<LostReason> lost = lossesOf(lease);
        alice.store.next(Call.WRITE, 1, Fault.HANG);
        advance(Duration.ofMillis(500));
        Await.until("its renewal hangs", () -> alice.store.hanging() == 1);
        assertThat(lease.isValid()).isTrue();
        advance(PAST_LEASE);
        assertThat(lease.isValid()).isFalse();
        Await.until("it was told", () -> !lost.isEmpty());
        alice.store.letGo();
        advance(PAST_LEASE);
        assertThat(lease.isValid()).isFalse();
        assertThat(lost).containsExactly(LostReason.STORE_UNREACHABLE);
        Await.until("it is free", () -> alice.record().holds().isEmpty());
    }

    @Test
    @DisplayName("an acquire whose answer got lost is settled: one hold, the token that is stored")
    void acquireAnswerLost() {
        assertSettled(Fault.ANSWER_LOST);
    }

    @Test
    @DisplayName("an acquire whose request got lost is settled: one hold, the token that is stored")
    void acquireRequestLost() {
        assertSettled(Fault.REQUEST_LOST);
    }

    private void assertSettled(Fault fault) {
        Node alice = node("alice");
        for (int round = 0; round < 3; round++) { // unknown, idle and cached record
            alice.store.next(Call.WRITE, 1, fault);
            CompletableFuture<Attempt<LockService.Grant>> asked =
                    alice.ask("a" + round).answer();
            Hold told = granted(awaitInTime(asked));
            assertThat(alice.record().holds()).extracting(Hold::token).containsExactly(told.token());
            busy(node("bob").ask("b" + round).now());
            assertThat(alice.release("a" + round)).isTrue();
        }
    }

    @Test
    @DisplayName("a renewal whose answer got lost is settled: the same token")
    void renewAnswerLost() {
        for (Fault fault : List.of(Fault.ANSWER_LOST, Fault.REQUEST_LOST)) {
            Node alice = node("alice");
            Hold held = granted(alice.ask("a" + fault.name()).now());
            alice.store.next(Call.WRITE, 1, fault);
            CompletableFuture<Attempt<Holder>> asked =
                    alice.locks.renew(KEY.record(), id("a" + fault.name()), Optional.empty());
            Holder renewed = awaitInTime(asked).orThrow();
            assertThat(renewed.token()).isEqualTo(held.token());
            alice.release("a" + fault.name());
        }
    }

    @Test
    @DisplayName("a release whose answer got lost is settled: released, and free for others")
    void releaseAnswerLost() {
        for (Fault fault : List.of(Fault.ANSWER_LOST, Fault.REQUEST_LOST)) {
            Node alice = node("alice");
            granted(alice.ask("a" + fault.name()).now());
            alice.store.next(Call.WRITE, 1, fault);
            CompletableFuture<Boolean> asked = alice.locks.release(KEY.record(), id("a" + fault.name()));
            assertThat(awaitInTime(asked)).isTrue();
            assertThat(alice.record().isIdle()).isTrue();
        }
    }

    @Test
    @DisplayName("work whose release got no answer is done, not lost, also if the next in line has the lock by then")
    void releaseAnswerLostWhileOthersWait() throws Exception {
        Node alice = node("alice");
        QueuedCaller bob = new QueuedCaller(node("bob"));
        CompletableFuture<Attempt<String>> worked = Await.onThread(
                () -> alice.client.tryRun(KEY, o -> o.lease(LONG), lease -> bob.queuesWhile(alice, lease.leaseId())));
        bob.takesOver(alice);
        awaitEndInTime(worked);
        assertThat(Await.get(worked)).isEqualTo(new Attempt.Done<>("worked"));
    }

    @Test
    @DisplayName("once-only work whose release got no answer has run, also if the next in line has the lock by then")
    void onceAnswerLostWhileOthersWait() throws Exception {
        Node alice = node("alice");
        QueuedCaller bob = new QueuedCaller(node("bob"));
        CompletableFuture<Once> worked = Await.onThread(() ->
                alice.client.runOnce(KEY, "v1", o -> o.lease(LONG), lease -> bob.queuesWhile(alice, lease.leaseId())));
        bob.takesOver(alice);
        awaitEndInTime(worked);
        assertThat(Await.get(worked)).isEqualTo(new Once.Ran());
        assertThat(alice.record().past().done()).isPresent();
    }

    @Test
    @DisplayName("a force whose answer got lost has forced, also if the next in line has the lock by then")
    void forceAnswerLostWhileOthersWait() {
        Node alice = node("alice");
        Hold victim = granted(alice.ask("a").now());
        QueuedCaller bob = new QueuedCaller(node("bob"));
        bob.queuesWhile(alice, id("a"));
        CompletableFuture<Attempt<Holder>> forced =
                alice.locks.force(KEY.record(), victim.token(), "operator", "stuck");
        bob.takesOver(alice);
        awaitEndInTime(forced);
        assertThat(Await.get(forced)).isInstanceOf(Attempt.Done.class);
    }

    @Test
    @DisplayName("a release without an answer that nobody remembers any more is told as unknown, never as lost")
    void releaseForgottenByThen() {
        Node alice = nodeHolding("alice", "a");
        alice.store.next(Call.WRITE, 1, Fault.ANSWER_LOST);
        alice.store.next(Call.READ, 1, Fault.HANG);
        CompletableFuture<Boolean> released = alice.locks.release(KEY.record(), id("a"));
        awaitHanging(alice);
        Node bob = node("bob");
        for (int i = 0; i <= Past.MAX_ENDED; i++) {
            granted(bob.ask("b" + i).now());
            bob.release("b" + i);
        }
        alice.store.letGo();
        awaitEndInTime(released);
        assertThatExceptionOfType(OutcomeUnknownException.class).isThrownBy(() -> Await.get(released));
    }

    private void awaitHanging(Node node) {
        Await.until("the lost answer is looked for", () -> {
            advance(Duration.ofMillis(8));
            return node.store.hanging() == 1;
        });
    }

    /** Somebody who is next in line, and has the lock before the other's lost answer can be settled. */
    private final class QueuedCaller {
        private final Node node;
        private final CompletableFuture<LockService.Asking> asking = new CompletableFuture<>();

        QueuedCaller(Node node) {
            this.node = node;
        }

        /** The holder knows the record as it is then, so that its next write goes through. */
        String queuesWhile(Node holder, LeaseId held) {
            LockService.Asking next = node.ask("next").queue();
            assertRenewed(Await.get(holder.locks.renew(KEY.record(), held, Optional.empty())));
            asking.complete(next);
            holder.store.next(Call.WRITE, 1, Fault.ANSWER_LOST);
            holder.store.next(Call.READ, 1, Fault.HANG);
            return "worked";
        }

        void takesOver(Node holder) {
            LockService.Asking next = Await.get(asking);
            awaitHanging(holder);
            granted(awaitInTime(next.answer()));
            holder.store.letGo();
        }
    }

    @Test
    @DisplayName(
            "a store that reads but cannot write is a failure, never busy and never a place, however long the wait")
    void failingWritesAreNotBusy() {
        for (Duration wait : List.of(Duration.ZERO, Duration.ofMillis(100), Duration.ofSeconds(1), LONG)) {
            for (Duration keepPlace : List.of(Duration.ZERO, Duration.ofSeconds(10))) {
                Node alice = node("alice");
                alice.store.next(Call.WRITE, 100_000, Fault.UNAVAILABLE);
                LockEngine engine = alice.engine();
                Request request = new Request(
                        KEY.record(),
                        engine.newLeaseId(),
                        Scope.WHOLE,
                        "alice",
                        Terms.of(LONG),
                        wait,
                        wait.isZero() ? Duration.ZERO : keepPlace);
                CompletableFuture<Answer<AcquireResult>> answer =
                        engine.acquire(request).answer();
                advance(PAST_TIMEOUT);
                awaitEndInTime(answer);
                assertThatExceptionOfType(StoreUnavailableException.class)
                        .as("waiting %s, keeping a place for %s", wait, keepPlace)
                        .isThrownBy(() -> Await.get(answer));
            }
        }
    }

    @Test
    @DisplayName("doubt that cannot be settled has its own name, and what was granted unseen is given back")
    void unsettledDoubt() {
        Node alice = leftInDoubt();
        advance(PAST_TIMEOUT);
        assertThat(alice.record().holds()).as("no orphan").isEmpty();
        granted(node("bob").ask("b").now());
    }

    @Test
    @DisplayName("nor does a caller who went away, before the doubt about its question ended, leave a hold behind")
    void goneInDoubt() {
        Node alice = node("alice");
        Node bob = node("bob");
        alice.store.next(Call.WRITE, 1, Fault.ANSWER_LOST);
        alice.store.next(Call.READ, 10_000, Fault.UNAVAILABLE);
        LockService.Asking waiting = alice.ask("a").begin(LONG);
        Await.until("it is granted", () -> !bob.record().holds().isEmpty());
        waiting.cancel();
        advance(Duration.ofSeconds(3));
        alice.store.heal();
        assertFreeInTime(bob);
    }

    @Test
    @DisplayName("what was handed over unseen to a caller whose time is up, who then goes away, is given back")
    void goneWhenTimeIsUp() {
        Node alice = nodeHolding("alice", "a");
        Node bob = node("bob");
        LockService.Asking waiting = alice.ask("b").begin(PAST_TIMEOUT.plus(PAST_TIMEOUT));
        alice.awaitQueued("b");
        alice.store.next(Call.WRITE, 1, Fault.ANSWER_LOST);
        alice.store.next(Call.READ, 10_000, Fault.UNAVAILABLE);
        CompletableFuture<Boolean> released = alice.locks.release(KEY.record(), id("a"));
        advance(PAST_TIMEOUT);
        awaitEndInTime(released);
        advance(PAST_TIMEOUT);
        assertThat(bob.record().hold(id("b"))).isPresent();
        assertThat(waiting.answer()).isNotDone();
        waiting.cancel();
        alice.store.heal();
        assertFreeInTime(bob);
    }

    private void assertFreeInTime(Node node) {
        Await.until("it is free", () -> {
            advance(Duration.ofMillis(8));
            return node.record().isIdle();
        });
    }

    @Test
    @DisplayName("asking again for what is held, in doubt and unsettled, takes nothing from who was told of it")
    void askingAgainInDoubtTakesNothing() {
        Node alice = node("alice");
        Hold held = granted(alice.ask("a").now());
        Node bob = node("bob");
        bob.store.next(Call.WRITE, 1, Fault.REQUEST_LOST);
        bob.store.next(Call.READ, 1, Fault.NONE);
        bob.store.next(Call.READ, 10_000, Fault.UNAVAILABLE);
        CompletableFuture<Attempt<LockService.Grant>> again =
                bob.ask("a").by("alice").answer();
        advance(Duration.ofSeconds(3));
        awaitEndInTime(again);
        bob.store.heal();
        advance(PAST_TIMEOUT);
        assertThat(alice.record().holds()).extracting(Hold::token).containsExactly(held.token());
    }

    @Test
    @DisplayName("a write that was reported as not done cannot arrive later")
    void lateWriteIsRefused() {
        Node alice = nodeHolding("alice", "a");
        Node bob = node("bob");
        // bob's release hangs on the wire: alice's is done first, then the lock changes hands, then it arrives.
        bob.store.next(Call.WRITE, 1, Fault.HANG);
        CompletableFuture<Boolean> late = bob.locks.release(KEY.record(), id("a"));
        Await.until("it hangs", () -> bob.store.hanging() == 1);
        alice.release("a");
        Hold next = granted(alice.ask("b").now());
        bob.store.letGo();
        assertThat(Await.get(late)).isFalse();
        assertThat(alice.record().holds()).containsExactly(next);
    }

    @Test
    @DisplayName("asking again by lease id after doubt finds the same acquisition")
    void askAgainAfterDoubt() {
        leftInDoubt();
        Node bob = node("bob");
        Attempt<LockService.Grant> again = bob.ask("a").by("alice").now();
        assertThat(again instanceof Attempt.Done || again instanceof Attempt.Lost)
                .isTrue();
        assertThat(bob.record().holds()).hasSizeLessThanOrEqualTo(1);
    }

    /** A node that asked for {@code a}, and could not learn whether it has it. */
    private Node leftInDoubt() {
        Node alice = node("alice");
        alice.store.next(Call.WRITE, 1, Fault.ANSWER_LOST);
        alice.store.next(Call.READ, 10_000, Fault.UNAVAILABLE);
        CompletableFuture<Attempt<LockService.Grant>> asked = alice.ask("a").answer();
        advance(Duration.ofSeconds(3));
        assertThatExceptionOfType(OutcomeUnknownException.class).isThrownBy(() -> Await.get(asked));
        alice.store.heal();
        return alice;
    }
}
