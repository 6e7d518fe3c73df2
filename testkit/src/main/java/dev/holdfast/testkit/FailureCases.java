package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.Attempt;
import dev.holdfast.Lease;
import dev.holdfast.LockService;
import dev.holdfast.failure.ClientClosedException;
import dev.holdfast.internal.engine.machine.ThreadMachine;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LostReason;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A store that fails: never busy, never free, never two holders, and all well again once it is back. */
abstract class FailureCases extends LockCases {
    // ---- not an answer

    @Test
    @DisplayName("while the store is cut nothing is busy and nothing free: every request fails")
    void errorIsNoAnswer() {
        Node alice = nodeHolding("alice", "a");
        Node bob = node("bob");
        for (Node node : List.of(alice, bob)) {
            node.line.cut();
            List<CompletableFuture<?>> asked = List.of(
                    node.ask("x").answer(),
                    node.ask("y").begin(Duration.ofSeconds(1)).answer(),
                    node.locks.renew(KEY.record(), id("a"), Optional.empty()),
                    node.locks.release(KEY.record(), id("x")),
                    node.locks.force(KEY.record(), new dev.holdfast.model.Token(1), "me", "test"),
                    node.locks.look(KEY.record()),
                    node.locks.list(ScanRequest.all()));
            advance(PAST_TIMEOUT);
            for (CompletableFuture<?> each : asked) {
                assertThatExceptionOfType(StoreException.class).isThrownBy(() -> Await.get(each));
            }
        }
    }

    @Test
    @DisplayName("once the store is back everything works again without a restart")
    void recovery() {
        Node alice = nodeHolding("alice", "a");
        alice.line.cut();
        CompletableFuture<?> failing = alice.ask("b").answer();
        advance(PAST_TIMEOUT);
        assertThatExceptionOfType(StoreException.class).isThrownBy(() -> Await.get(failing));
        alice.line.heal();
        assertRenewed(alice.renew("a"));
        busy(alice.ask("c").now());
        assertThat(alice.release("a")).isTrue();
        granted(alice.ask("d").now());
    }

    @Test
    @DisplayName("a waiter whose store fails for a while is served once it is back")
    void waiterSurvivesAnOutage() {
        Node alice = nodeHolding("alice", "a");
        Node bob = node("bob");
        LockService.Asking next = bob.ask("b").queue();
        bob.line.cut();
        advance(Duration.ofSeconds(3));
        alice.release("a");
        bob.line.heal();
        advance(Duration.ofSeconds(3));
        awaitGranted(next);
    }

    // ---- holding

    @Test
    @DisplayName("a holder whose store fails keeps the lock until its own deadline, then is told once that it is lost")
    void lostWhenTheStoreStaysAway() throws Exception {
        Node alice = node("alice");
        Lease lease = alice.client.acquire(KEY, o -> o.lease(LEASE));
        List<LostReason> lost = lossesOf(lease);
        alice.line.cut();
        advance(Duration.ofMillis(100));
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
        List<LostReason> lost = lossesOf(lease);
        alice.line.cut();
        advance(LEASE.multipliedBy(2));
        alice.line.heal();
        advance(LEASE.multipliedBy(4));
        assertThat(lost).isEmpty();
        assertThat(lease.isValid()).isTrue();
        assertThat(alice.record().holds()).extracting(Hold::token).containsExactly(lease.token());
    }

    @Test
    @DisplayName("a release that cannot reach the store fails by name, and the lease ends by itself")
    void releaseFails() throws Exception {
        Node alice = node("alice");
        Lease lease = alice.client.acquire(KEY, o -> o.lease(LEASE));
        alice.line.cut();
        CompletableFuture<Boolean> releasing = lease.releaseAsync().toCompletableFuture();
        advance(PAST_TIMEOUT);
        assertThatExceptionOfType(StoreException.class).isThrownBy(() -> Await.get(releasing));
        assertThat(lease.isValid()).isFalse();
        granted(node("bob").ask("b").now());
    }

    // ---- the end

    @Test
    @DisplayName("closing a client while its store fails lets nobody hang")
    void closeWhileFailing() {
        Node alice = node("alice", CONFIG, new ThreadMachine("test"));
        alice.line.cut();
        CompletableFuture<Attempt<Lease>> trying = Await.onThread(() -> alice.client.tryAcquire("lock"));
        CompletableFuture<Boolean> closing = Await.onThread(() -> {
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
        assertThatExceptionOfType(ClientClosedException.class)
                .isThrownBy(() -> alice.client.tryAcquire("lock"))
                .withMessageContaining("closed");
        alice.client.close();
    }
}
