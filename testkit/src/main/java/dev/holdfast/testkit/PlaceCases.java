package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holder;
import dev.holdfast.LockService;
import dev.holdfast.internal.engine.Acquisition;
import dev.holdfast.internal.engine.Answer;
import dev.holdfast.internal.engine.Request;
import dev.holdfast.internal.rules.AcquireResult;
import dev.holdfast.internal.rules.Command;
import dev.holdfast.internal.rules.ReleaseResult;
import dev.holdfast.model.Cause;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Terms;
import dev.holdfast.model.Times;
import dev.holdfast.model.Waiter;
import dev.holdfast.testkit.fixture.FaultyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * What engines promise each other and those who use them without the library: places in the queue that are kept between two
 * calls of the same caller, as a server needs it, and tickets that move.
 */
abstract class PlaceCases extends LockCases {
    private static final Duration KEEP = Duration.ofSeconds(15);
    private static final Duration POLL = Duration.ofMillis(400);

    @Test
    @DisplayName(
            "a wait that ends keeps its place, says where it stands, and goes on when the same lease id asks again")
    void keepsThePlace() {
        Node alice = nodeHolding("alice", "a");
        Acquisition first = poll(alice, "b", POLL);
        alice.awaitQueued("b");
        LockService.Asking behind = alice.ask("c").queue();
        AcquireResult.Queued told = queued(first);
        assertThat(told.position()).isEqualTo(1);
        assertThat(told.holders()).extracting(Hold::owner).containsExactly("alice");
        Acquisition again = poll(alice, "b", LONG);
        alice.release("a");
        assertThat(held(again).leaseId()).isEqualTo(id("b"));
        assertThat(behind.answer()).as("nobody passed by").isNotDone();
    }

    @Test
    @DisplayName("the place is told as it is at the end of the wait, not as it was at its start")
    void toldAsItIs() {
        Node alice = nodeHolding("alice", "a");
        LockService.Asking ahead = alice.ask("b").queue();
        Acquisition polling = poll(alice, "c", POLL);
        alice.awaitQueued("c");
        assertThat(alice.record().position(id("c"))).isEqualTo(2);
        ahead.cancel();
        Await.until("the one ahead is gone", () -> alice.record().position(id("c")) == 1);
        assertThat(queued(polling).position()).isEqualTo(1);
    }

    @Test
    @DisplayName("the place may be taken up again in another process")
    void elsewhere() {
        Node alice = nodeHolding("alice", "a");
        Node bob = node("bob");
        Acquisition first = poll(alice, "b", POLL);
        alice.awaitQueued("b");
        queued(first);
        Acquisition again = poll(bob, "b", LONG);
        Await.until(
                "the ticket is bob's",
                () -> alice.record().queue().stream()
                        .anyMatch(w -> w.engine().equals(bob.engine().id())));
        alice.release("a");
        assertThat(held(again).leaseId()).isEqualTo(id("b"));
    }

    @Test
    @DisplayName("a place left behind when its process ends is taken up in another")
    void outlivesItsProcess() {
        Node alice = node("alice");
        Node bob = nodeHolding("bob", "a");
        Acquisition first = poll(alice, "b", LONG);
        bob.awaitQueued("b");
        first.leave();
        queued(first);
        alice.locks.close();
        assertThat(bob.record().position(id("b"))).isEqualTo(1);
        Acquisition again = poll(bob, "b", LONG);
        bob.release("a");
        held(again);
    }

    @Test
    @DisplayName("of a process that ends, the places of callers who wait are given up, and only those")
    void keptWhereOthersLeave() {
        Node alice = node("alice");
        Node bob = nodeHolding("bob", "a");
        Acquisition kept = poll(alice, "b", LONG);
        bob.awaitQueued("b");
        kept.leave();
        queued(kept);
        for (int i = 0; i < 5; i++) {
            alice.ask("c" + i).queue();
        }
        alice.locks.close();
        assertThat(bob.record().queue()).extracting(Waiter::leaseId).containsExactly(id("b"));
    }

    @Test
    @DisplayName("who leaves keeps the place for a while, and is then taken out")
    void takenOut() {
        Node alice = nodeHolding("alice", "a");
        Acquisition gone = poll(alice, "b", LONG);
        alice.awaitQueued("b");
        gone.leave();
        queued(gone);
        LockService.Asking behind = alice.ask("c").queue();
        advance(KEEP.minusSeconds(5));
        assertThat(alice.record().position(id("b"))).isEqualTo(1);
        advance(Duration.ofSeconds(6));
        Await.until("its place is gone", () -> alice.record().position(id("b")) == 0);
        alice.release("a");
        granted(awaitInTime(behind.answer()));
        assertThat(awaitInTime(poll(alice, "b", POLL).answer()).result())
                .isEqualTo(new AcquireResult.Lost(LostReason.ABANDONED));
    }

    @Test
    @DisplayName("a turn may be kept for a shorter time than the place: then the next one gets it")
    void shortTurn() {
        Node alice = nodeHolding("alice", "a");
        Request request = request("b", POLL).claimingWithin(Duration.ofSeconds(2));
        Acquisition gone = alice.engine().acquire(request);
        alice.awaitQueued("b");
        queued(gone);
        LockService.Asking behind = alice.ask("c").queue();
        alice.release("a");
        Await.until("it is b's turn", () -> alice.record().hold(id("b")).isPresent());
        advance(Duration.ofSeconds(3));
        granted(awaitInTime(behind.answer()));
        assertThat(alice.record().position(id("b")))
                .as("behind the others, once")
                .isEqualTo(1);
    }

    @Test
    @DisplayName("what is handed to a kept place waits for its caller, who finds it held")
    void handedOverBetweenTwoCalls() {
        Node alice = nodeHolding("alice", "a");
        Acquisition first = poll(alice, "b", POLL);
        alice.awaitQueued("b");
        queued(first);
        alice.release("a");
        Await.until("it is b's", () -> alice.record().hold(id("b")).isPresent());
        AcquireResult told = awaitInTime(poll(alice, "b", POLL).answer()).result();
        assertThat(told)
                .isInstanceOfSatisfying(
                        AcquireResult.Granted.class,
                        it -> assertThat(it.again())
                                .as("nobody was told of it before")
                                .isFalse());
        Hold found = ((AcquireResult.Granted) told).hold();
        assertThat(alice.record().hold(id("b")).map(Hold::token)).contains(found.token());
        assertThat(alice.record().hold(id("b")).filter(Hold::isHeld)).isPresent();
    }

    @Test
    @DisplayName(
            "what is handed in full to a caller who just left is told to its next call as new, since nobody was told before")
    void handedInFullBetweenTwoCalls() {
        Node alice = handedInFull();
        AcquireResult told = awaitInTime(poll(alice, "b", POLL).answer()).result();
        assertThat(told)
                .isInstanceOfSatisfying(
                        AcquireResult.Granted.class,
                        it -> assertThat(it.again()).isFalse());
    }

    @Test
    @DisplayName("… and goes to the next when the place is given up instead")
    void givenUpBetweenTwoCalls() {
        Node alice = handedInFull();
        LockService.Asking behind = alice.ask("c").queue();
        Answer<ReleaseResult> left =
                awaitInTime(alice.engine().release(KEY.record(), new Command.Withdraw(id("b")), Cause.OWNER));
        assertThat(left.result()).isEqualTo(ReleaseResult.RELEASED);
        awaitGranted(behind);
        assertThat(alice.engine().waitingCallers()).isZero();
    }

    /** A process in which {@code b} keeps a place, and has the lock by a write that was under way when its caller left. */
    private Node handedInFull() {
        Node alice = nodeHolding("alice", "a");
        Acquisition first = poll(alice, "b", LONG);
        alice.awaitQueued("b");
        alice.store.next(FaultyStore.Call.WRITE, 1, FaultyStore.Fault.HANG);
        CompletableFuture<Boolean> released = alice.locks.release(KEY.record(), id("a"));
        Await.until("it hands over", () -> alice.store.hanging() == 1);
        first.leave();
        alice.store.letGo();
        assertThat(Await.get(released)).isTrue();
        queued(first);
        assertThat(alice.record().hold(id("b")).filter(Hold::isHeld)).isPresent();
        return alice;
    }

    @Test
    @DisplayName("what is handed to a kept place whose caller never comes goes to the next")
    void neverComes() {
        Node alice = nodeHolding("alice", "a");
        Acquisition first = poll(alice, "b", POLL);
        alice.awaitQueued("b");
        queued(first);
        LockService.Asking behind = alice.ask("c").queue();
        alice.release("a");
        Await.until("it is b's", () -> alice.record().hold(id("b")).isPresent());
        advance(KEEP.plusSeconds(2));
        granted(awaitInTime(behind.answer()));
    }

    @Test
    @DisplayName(
            "what is granted to a call whose place was taken over is given back if the later call cannot be told either")
    void takenOverAndGone() {
        Node alice = node("alice");
        alice.store.next(FaultyStore.Call.WRITE, 1, FaultyStore.Fault.HANG);
        Acquisition first = poll(alice, "b", LONG);
        Acquisition second = poll(alice, "b", LONG);
        queued(first);
        alice.store.letGo();
        held(second);
        second.cancel();
        Await.until("it is free", () -> alice.record().holds().isEmpty());
    }

    @Test
    @DisplayName("those who found the queue full keep their order too")
    void beyondTheStoredQueue() {
        Node alice = nodeHolding("alice", "a");
        for (int i = 0; i < LockRecord.MAX_QUEUE; i++) {
            alice.ask("in-" + i).begin(LONG);
        }
        Await.until("the queue is full", () -> alice.record().queue().size() == LockRecord.MAX_QUEUE);
        Acquisition first = poll(alice, "out-1", POLL);
        Acquisition second = poll(alice, "out-2", LONG);
        assertThat(queued(first).position()).isEqualTo(LockRecord.MAX_QUEUE + 1);
        poll(alice, "out-1", LONG);
        alice.release("in-0");
        Await.until("one more has a place", () -> alice.record().position(id("out-1")) == LockRecord.MAX_QUEUE);
        assertThat(alice.record().position(id("out-2"))).isZero();
        assertThat(second.answer()).isNotDone();
    }

    @Test
    @DisplayName(
            "of two calls of one acquisition that both found the queue full, the later one goes on, and the first hears so")
    void twiceBeyondTheStoredQueue() {
        Node alice = nodeHolding("alice", "a");
        for (int i = 0; i < LockRecord.MAX_QUEUE; i++) {
            alice.ask("in-" + i).begin(LONG);
        }
        Await.until("the queue is full", () -> alice.record().queue().size() == LockRecord.MAX_QUEUE);
        alice.ask("out").begin(LONG);
        Acquisition first = poll(alice, "twice", LONG);
        Acquisition later = poll(alice, "twice", LONG);
        for (int i = 0; i < 3; i++) {
            alice.release("in-" + i);
        }
        queued(first);
        alice.awaitQueued("twice");
        assertThat(later.answer()).isNotDone();
        later.cancel();
        Await.until("its place is gone", () -> alice.record().position(id("twice")) == 0);
        assertThat(alice.engine().waitingCallers()).isEqualTo(LockRecord.MAX_QUEUE - 2);
    }

    @Test
    @DisplayName("release hands over in the same write: nobody sees the lock free in between")
    void handOverInOneWrite() {
        Node alice = nodeHolding("alice", "a");
        LockService.Asking next = alice.ask("b").queue();
        int writes = alice.store.calls(FaultyStore.Call.WRITE);
        alice.release("a");
        awaitGranted(next);
        assertThat(alice.store.calls(FaultyStore.Call.WRITE) - writes).isEqualTo(1);
    }

    @Test
    @DisplayName("a waiter whose process died costs one claim window, not a lease")
    void deadWaiterCostsOneClaim() {
        Node alice = nodeHolding("alice", "a");
        Node dead = node("dead");
        dead.ask("b").queue();
        LockService.Asking next = alice.ask("c").queue();
        dead.die();
        alice.release("a");
        assertThat(isGranted(next)).isFalse();
        assertThat(alice.record().holds()).extracting(Hold::phase).containsExactly(Hold.Phase.OFFERED);
        advance(PAST_CLAIM);
        awaitGranted(next);
        assertThat(alice.record().queue())
                .as("behind the others once")
                .extracting(Waiter::leaseId)
                .containsExactly(id("b"));
        advance(PAST_CLAIM);
        alice.release("c");
        advance(PAST_CLAIM.multipliedBy(2));
        granted(alice.ask("d").now());
        assertThat(alice.record().queue()).as("then dropped").isEmpty();
    }

    @Test
    @DisplayName("a place moves with its caller to another process")
    void placeMovesToAnotherProcess() {
        Node alice = nodeHolding("alice", "0");
        Node bob = node("bob");
        LockService.Asking first = alice.ask("1").queue();
        alice.ask("2").queue();
        LockService.Asking moved = bob.ask("1").by("alice").queue();
        Await.until(
                "the ticket is bob's",
                () -> alice.record().queue().stream()
                        .anyMatch(w -> w.leaseId().equals(id("1"))
                                && w.engine().equals(bob.engine().id())));
        first.cancel();
        assertThat(alice.record().position(id("1")))
                .as("only its owner drops it")
                .isEqualTo(1);
        alice.release("0");
        awaitGranted(moved);
    }

    @Test
    @DisplayName("a hold without end is never taken over")
    void neverEnds() {
        granted(node("alice").ask("a").lease(Times.FOREVER).now());
        advance(PAST_LEASE);
        Holder held = busy(node("bob").ask("b").now()).holders().get(0);
        assertThat(held.expiresAt()).isEmpty();
    }

    @Test
    @DisplayName("more waiters than the record stores are served in order all the same")
    void overflowKeepsOrder() {
        Node alice = nodeHolding("alice", "0");
        List<LockService.Asking> waiting = new ArrayList<>();
        int count = LockRecord.MAX_QUEUE + 11;
        for (int i = 1; i <= count; i++) {
            waiting.add(alice.ask("" + i).begin(LONG));
        }
        Await.until("the queue is full", () -> alice.record().queue().size() == LockRecord.MAX_QUEUE);
        assertThat(alice.engine().waitingCallers()).isEqualTo(count);
        for (int i = 0; i < count; i++) {
            alice.release("" + i);
            awaitGranted(waiting.get(i));
        }
        assertThat(alice.record().queue()).isEmpty();
    }

    private static Acquisition poll(Node node, String name, Duration wait) {
        return node.engine().acquire(request(name, wait));
    }

    private static Request request(String name, Duration wait) {
        return new Request(KEY.record(), id(name), Scope.WHOLE, "poller", Terms.of(Duration.ofMinutes(10)), wait, KEEP);
    }

    private Hold held(Acquisition acquisition) {
        AcquireResult result = awaitInTime(acquisition.answer()).result();
        assertThat(result).isInstanceOf(AcquireResult.Granted.class);
        return ((AcquireResult.Granted) result).hold();
    }

    private AcquireResult.Queued queued(Acquisition acquisition) {
        AcquireResult result = awaitInTime(acquisition.answer()).result();
        assertThat(result).isInstanceOf(AcquireResult.Queued.class);
        return (AcquireResult.Queued) result;
    }
}
