package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.Attempt;
import dev.holdfast.Holder;
import dev.holdfast.Lease;
import dev.holdfast.LockBusyException;
import dev.holdfast.LockClient;
import dev.holdfast.LockService;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.Mode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Waiting: fair order, hand-over, claims, and leaving without a trace. Rules 1, 2, 4, 7. */
abstract class QueueCases extends LockCases {

    @Test
    @DisplayName("waiters of one process get the lock in the order they came")
    void fifoInOneProcess() {
        Node alice = nodeHolding("alice", "0");
        List<LockService.Asking> waiting = new ArrayList<>();
        for (int i = 1; i <= 5; i++) {
            waiting.add(alice.ask("" + i).queue());
        }
        assertServedInOrder(alice, waiting);
    }

    @Test
    @DisplayName("waiters of two processes get the lock in the order they came")
    void fifoAcrossProcesses() {
        Node alice = nodeHolding("alice", "0");
        Node bob = node("bob");
        List<LockService.Asking> waiting = new ArrayList<>();
        for (int i = 1; i <= 6; i++) {
            waiting.add((i % 2 == 0 ? alice : bob).ask("" + i).queue());
        }
        assertServedInOrder(alice, waiting);
    }

    private static void assertServedInOrder(Node releasing, List<LockService.Asking> waiting) {
        for (int i = 0; i < waiting.size(); i++) {
            for (LockService.Asking later : waiting.subList(i, waiting.size())) {
                assertThat(isGranted(later)).isFalse();
            }
            releasing.release("" + i);
            awaitGranted(waiting.get(i));
        }
    }

    @Test
    @DisplayName("who does not wait cannot pass who does, even where the lock itself would be free for it")
    void noBarging() {
        Node alice = node("alice");
        granted(alice.ask("reader").in(Mode.SHARED).now());
        LockService.Asking writer = node("bob").ask("writer").queue();
        busy(alice.ask("reader2").in(Mode.SHARED).now());
        assertThat(isGranted(writer)).isFalse();
        alice.release("reader");
        awaitGranted(writer);
    }

    @Test
    @DisplayName("who waits for another part of the tree is passed")
    void siblingsPass() {
        Node alice = node("alice");
        granted(alice.ask("a").at("x").now());
        alice.ask("b").at("x").queue();
        granted(alice.ask("c").at("y").now());
    }

    @Test
    @DisplayName("all readers at the head of the queue are let in together")
    void readersTogether() {
        Node alice = nodeHolding("alice", "w");
        LockService.Asking first = alice.ask("r1").in(Mode.SHARED).queue();
        LockService.Asking second = node("bob").ask("r2").in(Mode.SHARED).queue();
        LockService.Asking writer = alice.ask("w2").queue();
        LockService.Asking last = alice.ask("r3").in(Mode.SHARED).queue();
        alice.release("w");
        awaitGranted(first);
        awaitGranted(second);
        assertThat(isGranted(writer)).isFalse();
        assertThat(isGranted(last)).as("it came after the writer").isFalse();
    }

    @Test
    @DisplayName("a waiter gets the lock when the holder's lease runs out")
    void grantedAtExpiry() {
        granted(node("alice").ask("a").lease(LEASE).now());
        LockService.Asking next = node("bob").ask("b").queue();
        advance(PAST_LEASE);
        Hold hold = awaitGranted(next);
        assertThat(hold.terms().lease()).isEqualTo(LONG);
    }

    @Test
    @DisplayName("a waiter in another process has the full lease before it is told")
    void claimedBeforeTold() {
        Node alice = nodeHolding("alice", "a");
        LockService.Asking next = node("bob").ask("b").queue();
        alice.release("a");
        Hold told = awaitGranted(next);
        assertThat(told.phase()).isEqualTo(Hold.Phase.HELD);
        assertThat(told.terms().lease()).isEqualTo(LONG);
        assertThat(alice.record().hold(id("b")).filter(Hold::isHeld).map(Hold::token))
                .contains(told.token());
    }

    @Test
    @DisplayName("hints may get lost: a waiter finds out by itself")
    void withoutHints() {
        Node alice = node("alice");
        Node bob = node("bob");
        bob.store.loseHints();
        granted(alice.ask("a").now());
        LockService.Asking next = bob.ask("b").queue();
        alice.release("a");
        advance(Duration.ofMillis(1_500));
        awaitGranted(next);
    }

    @Test
    @DisplayName("asking again with the id of a waiter keeps the place, and the later call is answered")
    void askingAgainKeepsThePlace() {
        Node alice = nodeHolding("alice", "0");
        alice.ask("1").queue();
        alice.ask("2").queue();
        LockService.Asking again = alice.ask("1").queue();
        assertThat(alice.record().position(id("1"))).isEqualTo(1);
        alice.release("0");
        awaitGranted(again);
    }

    // ---- leaving

    @Test
    @DisplayName("a wait that times out is busy, says who holds, and leaves no ticket")
    void timeoutLeavesNoTicket() {
        Node alice = nodeHolding("alice", "a");
        LockService.Asking waiting = node("bob").ask("b").begin(Duration.ofMillis(500));
        alice.awaitQueued("b");
        advance(Duration.ofMillis(800));
        Attempt.Busy<LockService.Grant> told = busy(Await.get(waiting.answer()));
        assertThat(told.holders()).extracting(Holder::owner).containsExactly("alice");
        assertThat(alice.record().queue()).isEmpty();
        alice.release("a");
        assertThat(alice.record().isIdle()).isTrue();
    }

    @Test
    @DisplayName("a cancelled wait leaves no ticket, and the next in line is served")
    void cancelLeavesNoTicket() {
        Node alice = nodeHolding("alice", "a");
        Node bob = node("bob");
        CompletableFuture<Attempt<Lease>> waiting = bob.client
                .acquireAsync(KEY, o -> o.waitUpTo(LONG).leaseId(id("b")))
                .toCompletableFuture();
        alice.awaitQueued("b");
        LockService.Asking next = alice.ask("c").queue();
        assertThat(waiting.cancel(true)).isTrue();
        Await.until("the ticket is gone", () -> alice.record().position(id("b")) == 0);
        alice.release("a");
        awaitGranted(next);
    }

    @Test
    @DisplayName("a wait cancelled just when it is granted gives the lock back")
    void cancelAfterGrantGivesBack() {
        Node alice = nodeHolding("alice", "a");
        LockService.Asking next = alice.ask("b").queue();
        alice.release("a");
        awaitGranted(next);
        next.cancel();
        Await.until("it is free", () -> alice.record().holds().isEmpty());
        assertLost(alice.ask("b").now(), LostReason.RELEASED);
    }

    @Test
    @DisplayName("a call that goes away does not end what a later call of the same acquisition was told to hold")
    void cancelledFirstCall() {
        Node alice = node("alice");
        LockService.Asking first = alice.ask("a").begin(Duration.ZERO);
        LockService.Asking second = alice.ask("a").begin(Duration.ZERO);
        granted(awaitInTime(first.answer()));
        Hold told = granted(awaitInTime(second.answer()));
        first.cancel();
        assertRenewed(alice.renew("a"));
        assertThat(alice.record().hold(id("a")).map(Hold::token)).contains(told.token());
    }

    @Test
    @DisplayName("nor does a repeated call that goes away end what was held before it, here or in another process")
    void cancelledRepeat() {
        Node alice = nodeHolding("alice", "a");
        Node bob = node("bob");
        for (Node node : List.of(alice, bob)) {
            LockService.Asking repeat = node.ask("a").by("alice").begin(Duration.ZERO);
            granted(awaitInTime(repeat.answer()));
            repeat.cancel();
            assertRenewed(alice.renew("a"));
        }
        LockService.Asking waiting = bob.ask("a").by("alice").begin(LONG);
        granted(awaitInTime(waiting.answer()));
        waiting.cancel();
        assertRenewed(alice.renew("a"));
    }

    @Test
    @DisplayName("a first call whose answer nobody hears gives the lock back")
    void cancelledGrant() {
        Node alice = node("alice");
        LockService.Asking only = alice.ask("a").begin(Duration.ZERO);
        granted(awaitInTime(only.answer()));
        only.cancel();
        Await.until("it is free", () -> alice.record().holds().isEmpty());
    }

    @Test
    @DisplayName("an interrupt ends the wait as InterruptedException and leaves no ticket")
    void interruptLeavesNoTicket() {
        Node alice = nodeHolding("alice", "a");
        Node bob = node("bob");
        CompletableFuture<Thread> who = new CompletableFuture<>();
        CompletableFuture<Lease> waiting = Await.onThread(() -> {
            who.complete(Thread.currentThread());
            return bob.client.acquire(KEY, o -> o.waitUpTo(LONG).leaseId(id("b")));
        });
        alice.awaitQueued("b");
        Await.get(who).interrupt();
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(waiting::get)
                .withCauseInstanceOf(InterruptedException.class);
        Await.until("the ticket is gone", () -> alice.record().queue().isEmpty());
    }

    @Test
    @DisplayName("a thread that is interrupted already asks for nothing")
    void interruptedBefore() {
        Node alice = node("alice");
        CompletableFuture<Lease> asking = Await.onThread(() -> {
            Thread.currentThread().interrupt();
            return alice.client.acquire("lock");
        });
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(asking::get)
                .withCauseInstanceOf(InterruptedException.class);
        assertThat(alice.record().isIdle()).isTrue();
    }

    @Test
    @DisplayName("acquire that waits in vain throws who holds the lock")
    void busyException() {
        granted(node("alice").ask("a").now());
        Node bob = node("bob");
        CompletableFuture<Lease> waiting =
                Await.onThread(() -> bob.client.acquire(KEY, o -> o.waitUpTo(Duration.ofMillis(300))));
        awaitEndInTime(waiting);
        assertThatExceptionOfType(LockBusyException.class)
                .isThrownBy(() -> Await.get(waiting))
                .withMessageContaining("'lock'")
                .withMessageContaining("'alice'")
                .satisfies(e -> assertThat(e.holders()).hasSize(1));
    }

    @Test
    @DisplayName("a place given up by its lease id alone ends the wait of its caller, soon")
    void placeReleasedById() {
        Node alice = nodeHolding("alice", "a");
        LockService.Asking waiting = alice.ask("b").queue();
        assertThat(Await.get(alice.client.release(KEY, id("b")))).isTrue();
        advance(Duration.ofSeconds(2));
        assertLost(Await.get(waiting.answer()), LostReason.ABANDONED);
    }

    @Test
    @DisplayName("closing a client gives up its places, and leaves its leases to end by themselves")
    void closeGivesUpPlaces() throws Exception {
        Node alice = node("alice");
        Node bob = node("bob");
        Lease held = bob.client.acquire(KEY.at("x"), o -> o.lease(LEASE));
        granted(alice.ask("a").at("y").now());
        bob.ask("b").at("y").queue();
        List<LostReason> lost = lossesOf(held);
        bob.client.close();
        Await.until("its place is gone", () -> alice.record().queue().isEmpty());
        assertThat(held.isValid()).isFalse();
        Await.until("it was told", () -> !lost.isEmpty());
        assertThat(lost).containsExactly(LostReason.CLOSED);
        busy(alice.ask("c").at("x").now());
        advance(PAST_LEASE);
        granted(alice.ask("d").at("x").now());
    }

    @Test
    @DisplayName("a wait that is cancelled right before its client is closed leaves no place either")
    void cancelledAndClosed() {
        Node alice = node("alice");
        granted(alice.ask("a").now());
        for (int i = 0; i < 5; i++) {
            LockClient bob = node("bob").client;
            CompletableFuture<?> waiting =
                    bob.acquireAsync(KEY, o -> o.waitUpTo(LONG)).toCompletableFuture();
            Await.until("it has a place", () -> !alice.record().queue().isEmpty());
            waiting.cancel(true);
            bob.close();
            assertThat(alice.record().queue()).isEmpty();
        }
    }
}
