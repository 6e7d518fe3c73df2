package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.Attempt;
import dev.holdfast.Lease;
import dev.holdfast.engine.Acquisition;
import dev.holdfast.engine.Answer;
import dev.holdfast.engine.ThreadMachine;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LostReason;
import dev.holdfast.rules.AcquireResult;
import dev.holdfast.rules.ReleaseResult;
import dev.holdfast.rules.RenewResult;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.testkit.FaultyStore.Call;
import dev.holdfast.testkit.FaultyStore.Fault;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A store that fails: never busy, never free, never two holders, and all well again once it is back. */
abstract class FailureCases extends LockCases {
    /** Past the time for which an operation is retried. */
    private static final Duration PAST_TIMEOUT = Duration.ofSeconds(4);

    // ---- not an answer

    @Test
    @DisplayName("while the store is cut nothing is busy and nothing free: every request fails as unavailable")
    void errorIsNoAnswer() {
        Node alice = node("alice");
        granted(alice.ask("a").now());
        Node bob = node("bob");
        for (Node node : List.of(alice, bob)) {
            node.store.cut();
            List<CompletableFuture<?>> asked = List.of(
                    node.ask("x").begin(Duration.ZERO).answer(),
                    node.ask("y").begin(Duration.ofSeconds(1)).answer(),
                    node.engine.renew(KEY.record(), id("a"), Optional.empty()),
                    node.engine.release(KEY.record(), id("x")),
                    node.engine.force(KEY.record(), new dev.holdfast.model.Token(1), "me", "test"),
                    node.engine.touch(KEY.record()),
                    node.engine.read(KEY.record()),
                    node.engine.scan(ScanRequest.all()));
            advance(PAST_TIMEOUT);
            for (CompletableFuture<?> each : asked) {
                assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> Await.get(each));
            }
        }
    }

    @Test
    @DisplayName("the failure says which lock, which store, and what the store said")
    void failureTellsWhy() {
        Node alice = node("alice");
        alice.store.cut();
        CompletableFuture<Answer<AcquireResult>> asked =
                alice.ask("a").begin(Duration.ZERO).answer();
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
        CompletableFuture<Answer<AcquireResult>> asked =
                alice.ask("a").begin(Duration.ZERO).answer();
        advance(Duration.ofMillis(500));
        granted(Await.get(asked).result());
    }

    @Test
    @DisplayName("once the store is back everything works again without a restart")
    void recovery() {
        Node alice = node("alice");
        granted(alice.ask("a").now());
        alice.store.cut();
        CompletableFuture<?> failing = alice.ask("b").begin(Duration.ZERO).answer();
        advance(PAST_TIMEOUT);
        assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> Await.get(failing));
        alice.store.heal();
        assertThat(alice.renew("a")).isInstanceOf(RenewResult.Renewed.class);
        busy(alice.ask("c").now());
        assertThat(alice.release("a")).isEqualTo(ReleaseResult.RELEASED);
        granted(alice.ask("d").now());
    }

    @Test
    @DisplayName("a waiter whose store fails for a while is served once it is back")
    void waiterSurvivesAnOutage() {
        Node alice = node("alice");
        Node bob = node("bob");
        granted(alice.ask("a").now());
        Acquisition next = bob.ask("b").queue();
        bob.store.cut();
        advance(Duration.ofSeconds(3));
        alice.release("a");
        bob.store.heal();
        advance(Duration.ofSeconds(3));
        awaitGranted(next);
    }

    // ---- holding

    @Test
    @DisplayName("a holder whose store fails keeps the lock until its own deadline, then is told once that it is lost")
    void lostWhenTheStoreStaysAway() throws Exception {
        Node alice = node("alice");
        Lease lease = alice.client.acquire(KEY, o -> o.lease(LEASE));
        List<LostReason> lost = new CopyOnWriteArrayList<>();
        lease.onLost(lost::add);
        alice.store.cut();
        advance(Duration.ofMillis(400));
        assertThat(lease.isValid()).isTrue();
        assertThat(lost).isEmpty();
        advance(PAST_LEASE);
        assertThat(lease.isValid()).isFalse();
        Await.until("it was told", () -> !lost.isEmpty());
        advance(PAST_TIMEOUT);
        assertThat(lost).containsExactly(LostReason.STORE_UNREACHABLE);
        granted(node("bob").ask("b").now());
    }

    @Test
    @DisplayName("a store that is back before the deadline costs the holder nothing")
    void backInTime() throws Exception {
        Node alice = node("alice");
        Lease lease = alice.client.acquire(KEY, o -> o.lease(LEASE.multipliedBy(3)));
        List<LostReason> lost = new CopyOnWriteArrayList<>();
        lease.onLost(lost::add);
        alice.store.cut();
        advance(LEASE.multipliedBy(2));
        alice.store.heal();
        advance(LEASE.multipliedBy(4));
        assertThat(lost).isEmpty();
        assertThat(lease.isValid()).isTrue();
        assertThat(alice.record().holds()).extracting(Hold::token).containsExactly(lease.token());
    }

    @Test
    @DisplayName("a renewal that hangs is a loss at the deadline, also if it goes through later")
    void hangingRenewal() throws Exception {
        Node alice = node("alice");
        Lease lease = alice.client.acquire(KEY, o -> o.lease(LEASE));
        List<LostReason> lost = new CopyOnWriteArrayList<>();
        lease.onLost(lost::add);
        alice.store.next(Call.WRITE, 1, Fault.HANG);
        advance(Duration.ofMillis(500));
        assertThat(alice.store.hanging()).isEqualTo(1);
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
    @DisplayName("a release that cannot reach the store fails by name, and the lease ends by itself")
    void releaseFails() throws Exception {
        Node alice = node("alice");
        Lease lease = alice.client.acquire(KEY, o -> o.lease(LEASE));
        alice.store.cut();
        CompletableFuture<Boolean> releasing = lease.releaseAsync().toCompletableFuture();
        advance(PAST_TIMEOUT);
        assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> Await.get(releasing));
        assertThat(lease.isValid()).isFalse();
        granted(node("bob").ask("b").now());
    }

    // ---- doubt

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
            CompletableFuture<Answer<AcquireResult>> asked =
                    alice.ask("a" + round).begin(Duration.ZERO).answer();
            advance(Duration.ofMillis(500));
            Hold told = granted(Await.get(asked).result());
            assertThat(alice.record().holds()).extracting(Hold::token).containsExactly(told.token());
            busy(node("bob").ask("b" + round).now());
            assertThat(alice.release("a" + round)).isEqualTo(ReleaseResult.RELEASED);
        }
    }

    @Test
    @DisplayName("a renewal whose answer got lost is settled: the same token")
    void renewAnswerLost() {
        for (Fault fault : List.of(Fault.ANSWER_LOST, Fault.REQUEST_LOST)) {
            Node alice = node("alice");
            Hold held = granted(alice.ask("a" + fault.name()).now());
            alice.store.next(Call.WRITE, 1, fault);
            CompletableFuture<Answer<RenewResult>> asked =
                    alice.engine.renew(KEY.record(), id("a" + fault.name()), Optional.empty());
            advance(Duration.ofMillis(500));
            RenewResult.Renewed renewed = (RenewResult.Renewed) Await.get(asked).result();
            assertThat(renewed.hold().token()).isEqualTo(held.token());
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
            CompletableFuture<Answer<ReleaseResult>> asked = alice.engine.release(KEY.record(), id("a" + fault.name()));
            advance(Duration.ofMillis(500));
            assertThat(Await.get(asked).result()).isEqualTo(ReleaseResult.RELEASED);
            assertThat(alice.record().isIdle()).isTrue();
        }
    }

    @Test
    @DisplayName("doubt that cannot be settled has its own name, and what was granted unseen is given back")
    void unsettledDoubt() {
        Node alice = node("alice");
        alice.store.next(Call.WRITE, 1, Fault.ANSWER_LOST);
        alice.store.next(Call.READ, 10_000, Fault.UNAVAILABLE);
        CompletableFuture<Answer<AcquireResult>> asked =
                alice.ask("a").begin(Duration.ZERO).answer();
        advance(Duration.ofSeconds(3));
        assertThatExceptionOfType(OutcomeUnknownException.class).isThrownBy(() -> Await.get(asked));
        alice.store.heal();
        advance(PAST_TIMEOUT);
        assertThat(alice.record().holds()).as("no orphan").isEmpty();
        granted(node("bob").ask("b").now());
    }

    @Test
    @DisplayName("a write that was reported as not done cannot arrive later")
    void lateWriteIsRefused() {
        Node alice = node("alice");
        granted(alice.ask("a").now());
        Node bob = node("bob");
        // bob's release hangs on the wire: alice's is done first, then the lock changes hands, then it arrives.
        bob.store.next(Call.WRITE, 1, Fault.HANG);
        CompletableFuture<Answer<ReleaseResult>> late = bob.engine.release(KEY.record(), id("a"));
        Await.until("it hangs", () -> bob.store.hanging() == 1);
        alice.release("a");
        Hold next = granted(alice.ask("b").now());
        bob.store.letGo();
        assertThat(Await.get(late).result()).isEqualTo(ReleaseResult.NOT_HELD);
        assertThat(alice.record().holds()).containsExactly(next);
    }

    @Test
    @DisplayName("asking again by lease id after doubt finds the same acquisition")
    void askAgainAfterDoubt() {
        Node alice = node("alice");
        alice.store.next(Call.WRITE, 1, Fault.ANSWER_LOST);
        alice.store.next(Call.READ, 10_000, Fault.UNAVAILABLE);
        CompletableFuture<Answer<AcquireResult>> asked =
                alice.ask("a").begin(Duration.ZERO).answer();
        advance(Duration.ofSeconds(3));
        assertThatExceptionOfType(OutcomeUnknownException.class).isThrownBy(() -> Await.get(asked));
        alice.store.heal();
        Node bob = node("bob");
        AcquireResult again = bob.ask("a").by("alice").now();
        assertThat(again instanceof AcquireResult.Granted || again instanceof AcquireResult.Lost)
                .isTrue();
        assertThat(bob.record().holds()).hasSizeLessThanOrEqualTo(1);
    }

    // ---- the end

    @Test
    @DisplayName("closing a client while its store fails lets nobody hang")
    void closeWhileFailing() {
        Node alice = node("alice", CONFIG, new ThreadMachine("test"));
        alice.store.cut();
        CompletableFuture<Attempt<Lease>> trying = thread(() -> alice.client.tryAcquire("lock"));
        Await.until("it is tried", () -> alice.store.calls(Call.WRITE) > 0);
        CompletableFuture<Boolean> closing = thread(() -> {
            alice.client.close();
            return true;
        });
        Await.get(closing);
        Await.until("the caller was told", trying::isDone);
        assertThat(trying).isCompletedExceptionally();
    }

    @Test
    @DisplayName("a closed client refuses at once, and says that it is closed")
    void closedClient() {
        Node alice = node("alice");
        alice.client.close();
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> alice.client.tryAcquire("lock"))
                .withMessageContaining("closed");
        alice.client.close();
    }
}
