package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.Attempt;
import dev.holdfast.Holder;
import dev.holdfast.Lease;
import dev.holdfast.LockBusyException;
import dev.holdfast.LockService;
import dev.holdfast.Once;
import dev.holdfast.model.Done;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LostReason;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Working under locks: several at once, run if free, run once. Rule 10. */
abstract class ClientCases extends LockCases {
    private static final LockKey A = LockKey.of("default", "a");
    private static final LockKey B = LockKey.of("default", "b");
    private static final LockKey C = LockKey.of("default", "c");

    // ---- several at once

    @Test
    @DisplayName("several locks are held together and given back together")
    void acquireAll() throws Exception {
        Node alice = node("alice");
        Node bob = node("bob");
        Lease all = alice.client.acquireAll(List.of(C, A, B.at("x"), B.at("y")), o -> {});
        assertThat(all.isValid()).isTrue();
        assertThat(all.key()).isEqualTo(A);
        busy(bob.ask("1").of(A).now());
        busy(bob.ask("2").of(B).at("x").now());
        busy(bob.ask("3").of(B).at("y").now());
        granted(bob.ask("4").of(B).at("z").now());
        assertThat(all.release()).isTrue();
        granted(bob.ask("5").of(A).now());
        granted(bob.ask("6").of(B).at("x").now());
        granted(bob.ask("7").of(C).now());
    }

    @Test
    @DisplayName("if one of several is busy, those already taken are given back, and those after it not asked for")
    void acquireAllGivesBack() throws Exception {
        Node alice = node("alice");
        granted(alice.ask("held").of(B).now());
        Node bob = node("bob");
        assertThatExceptionOfType(LockBusyException.class)
                .isThrownBy(() -> bob.client.acquireAll(List.of(C, B, A), o -> o.waitUpTo(Duration.ZERO)))
                .withMessageContaining("'b'");
        assertThat(alice.record(A).isIdle()).isTrue();
        assertThat(alice.record(C).fence().value()).as("never asked for").isZero();
        assertThat(bob.locks.keptLeases()).isZero();
    }

    @Test
    @DisplayName("what acquireAll gives back was not worked under: a minimum hold does not keep it busy")
    void acquireAllGivesBackUnused() throws Exception {
        Node alice = node("alice");
        granted(alice.ask("held").of(B).now());
        Node bob = node("bob");
        assertThatExceptionOfType(LockBusyException.class)
                .isThrownBy(() -> bob.client.acquireAll(
                        List.of(A, B), o -> o.waitUpTo(Duration.ZERO).minHold(Duration.ofMinutes(10))));
        granted(alice.ask("free").of(A).now());
    }

    @Test
    @DisplayName("two who want the same locks in different order never wait for each other")
    void acquireAllInOneOrder() {
        Node alice = node("alice");
        Node bob = node("bob");
        AtomicInteger inside = new AtomicInteger();
        List<CompletableFuture<Integer>> both = new ArrayList<>();
        for (Node node : List.of(alice, bob)) {
            both.add(Await.onThread(() -> {
                for (int i = 0; i < 10; i++) {
                    List<LockKey> keys = node == alice ? List.of(A, B, C) : List.of(C, B, A);
                    try (Lease all = node.client.acquireAll(keys, o -> o.waitUpTo(LONG))) {
                        assertThat(inside.incrementAndGet()).isEqualTo(1);
                        all.ensureValid();
                        inside.decrementAndGet();
                    }
                }
                return 1;
            }));
        }
        both.forEach(this::awaitInTime);
    }

    @Test
    @DisplayName("several locks are lost when the first of them is, and that is told once")
    void acquireAllLost() throws Exception {
        Node alice = node("alice");
        Lease all = alice.client.acquireAll(List.of(A, B), o -> o.lease(LEASE));
        List<LostReason> lost = lossesOf(all);
        for (LockKey key : List.of(A, B)) {
            alice.force(key, alice.record(key).holds().get(0).token());
        }
        advance(LEASE);
        Await.until("it was told", () -> !lost.isEmpty());
        assertThat(lost).containsExactly(LostReason.FORCED);
        assertThat(all.isValid()).isFalse();
    }

    @Test
    @DisplayName("if giving back one of several fails, the others are not kept for ever")
    void acquireAllReleaseFails() throws Exception {
        Node alice = node("alice");
        Duration lease = LEASE.multipliedBy(6);
        Lease all = alice.client.acquireAll(List.of(A, B), o -> o.lease(lease));
        alice.line.cut();
        CompletableFuture<Boolean> releasing = Await.onThread(all::release);
        Await.until("it is tried", () -> alice.locks.keptLeases() < 2);
        advance(Duration.ofSeconds(3));
        alice.line.heal();
        awaitEndInTime(releasing);
        advance(lease.multipliedBy(2));
        Node bob = node("bob");
        granted(bob.ask("1").of(A).now());
        granted(bob.ask("2").of(B).now());
    }

    // ---- run if free

    @Test
    @DisplayName("work runs if the lock is free, and the lock is free again afterwards")
    void tryRun() throws Exception {
        Node alice = node("alice");
        Attempt<String> ran = alice.client.tryRun("lock", lease -> {
            busy(node("bob").ask("b").now());
            return "value " + (lease.token().value() > 0);
        });
        assertThat(ran).isEqualTo(new Attempt.Done<>("value true"));
        assertThat(alice.record().isIdle()).isTrue();
    }

    @Test
    @DisplayName("work does not run if the lock is held, and the caller hears by whom")
    void tryRunBusy() throws Exception {
        granted(node("alice").ask("a").now());
        Attempt<String> busy = node("bob").client.tryRun("lock", lease -> {
            throw new AssertionError("must not run");
        });
        assertThat(busy).isInstanceOf(Attempt.Busy.class);
        assertThat(((Attempt.Busy<String>) busy).holders())
                .extracting(Holder::owner)
                .containsExactly("alice");
    }

    @Test
    @DisplayName("what the work throws reaches the caller, and the lock is released")
    void tryRunThrows() {
        Node alice = node("alice");
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> alice.client.tryRun("lock", lease -> {
                    throw new IOException("disk full");
                }))
                .withMessage("disk full");
        assertThat(alice.record().isIdle()).isTrue();
        assertThat(alice.locks.keptLeases()).isZero();
    }

    @Test
    @DisplayName("work that lost the lock while it ran is reported as lost")
    void tryRunLost() throws Exception {
        Node alice = node("alice");
        Attempt<String> lost = alice.client.tryRun(KEY, o -> o.lease(LEASE).withoutRenewal(), lease -> {
            advance(PAST_LEASE);
            return "too late";
        });
        assertThat(lost).isEqualTo(new Attempt.Lost<>(KEY, LostReason.EXPIRED));
    }

    @Test
    @DisplayName("work under a lock that was ended by force unnoticed is reported as lost, not as done")
    void tryRunForcedUnnoticed() throws Exception {
        Node alice = node("alice");
        alice.store.loseHints();
        Node bob = node("bob");
        Attempt<String> lost = alice.client.tryRun(KEY, o -> o.lease(LONG), lease -> {
            bob.force(lease.token());
            return "another may have run meanwhile";
        });
        assertThat(lost).isEqualTo(new Attempt.Lost<>(KEY, LostReason.FORCED));
    }

    // ---- run once

    @Test
    @DisplayName("of many threads in several processes exactly one does the work, the others see who did it and when")
    void runOnce() {
        Node alice = node("alice");
        Node bob = node("bob");
        AtomicInteger runs = new AtomicInteger();
        List<CompletableFuture<Once>> all = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Node node = i % 2 == 0 ? alice : bob;
            all.add(Await.onThread(() -> node.client.runOnce("lock", "v1", lease -> runs.incrementAndGet())));
        }
        List<Once> results = all.stream().map(this::awaitInTime).toList();
        assertThat(runs).hasValue(1);
        assertThat(results).filteredOn(r -> r instanceof Once.Ran).hasSize(1);
        assertThat(results)
                .filteredOn(r -> r instanceof Once.AlreadyDone)
                .hasSize(7)
                .allSatisfy(r -> {
                    Once.AlreadyDone seen = (Once.AlreadyDone) r;
                    assertThat(seen.done().generation()).isEqualTo("v1");
                    assertThat(seen.done().by()).isIn("alice", "bob");
                    assertThat(seen.done().token().value()).isPositive();
                    assertThat(seen.done().at()).isNotNull();
                });
    }

    @Test
    @DisplayName("who takes a lock it has never seen hears what was done under it")
    void doneBeforeItCame() throws Exception {
        assertThat(node("alice").client.runOnce("lock", "v1", lease -> {})).isInstanceOf(Once.Ran.class);
        advance(Duration.ofSeconds(1)); // or its token is not above the last, and it must look first
        LockService.Grant first = node("bob").ask("b").now().orThrow();
        assertThat(first.done().map(Done::generation)).contains("v1");
    }

    @Test
    @DisplayName("work that fails is done by the next who comes")
    void failedOnceIsRetried() throws Exception {
        Node alice = node("alice");
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> alice.client.runOnce("lock", "v1", lease -> {
                    throw new IOException("no");
                }));
        assertThat(node("bob").client.runOnce("lock", "v1", lease -> {})).isInstanceOf(Once.Ran.class);
        assertThat(alice.client.runOnce("lock", "v1", lease -> {})).isInstanceOf(Once.AlreadyDone.class);
    }

    @Test
    @DisplayName("a new generation runs again, once")
    void newGeneration() throws Exception {
        Node alice = node("alice");
        assertThat(alice.client.runOnce("lock", "v1", lease -> {})).isInstanceOf(Once.Ran.class);
        assertThat(alice.client.runOnce("lock", "v2", lease -> {})).isInstanceOf(Once.Ran.class);
        assertThat(alice.client.runOnce("lock", "v2", lease -> {})).isInstanceOf(Once.AlreadyDone.class);
    }

    @Test
    @DisplayName("who does not wait long enough hears that another is still at it")
    void stillRunning() throws Exception {
        granted(node("alice").ask("a").now());
        Once once = node("bob").client.runOnce(KEY, "v1", o -> o.waitUpTo(Duration.ZERO), lease -> {});
        assertThat(once).isInstanceOf(Once.StillRunning.class);
        assertThat(((Once.StillRunning) once).holders())
                .extracting(Holder::owner)
                .containsExactly("alice");
    }

    @Test
    @DisplayName("work that lost the lock is not recorded as done")
    void lostOnceIsNotDone() throws Exception {
        Node alice = node("alice");
        Once lost = alice.client.runOnce(KEY, "v1", o -> o.lease(LEASE).withoutRenewal(), lease -> {
            advance(PAST_LEASE);
        });
        assertThat(lost).isEqualTo(new Once.Lost(KEY, LostReason.EXPIRED));
        assertThat(node("bob").client.runOnce("lock", "v1", lease -> {})).isInstanceOf(Once.Ran.class);
    }

    @Test
    @DisplayName("work under a lock that was ended by force unnoticed is not recorded, and says why")
    void forcedOnceIsNotDone() throws Exception {
        Node alice = node("alice");
        alice.store.loseHints();
        Node bob = node("bob");
        Once lost = alice.client.runOnce(KEY, "v1", o -> o.lease(LONG), lease -> bob.force(lease.token()));
        assertThat(lost).isEqualTo(new Once.Lost(KEY, LostReason.FORCED));
        assertThat(bob.client.runOnce("lock", "v1", lease -> {})).isInstanceOf(Once.Ran.class);
    }

    @Test
    @DisplayName("the marker of completed work outlives ordinary use of the lock")
    void markerOutlivesUse() throws Exception {
        Node alice = node("alice");
        assertThat(alice.client.runOnce("lock", "v1", lease -> {})).isInstanceOf(Once.Ran.class);
        Node bob = nodeHolding("bob", "b");
        bob.release("b");
        assertThat(node("carol").client.runOnce("lock", "v1", lease -> {})).isInstanceOf(Once.AlreadyDone.class);
    }

    @Test
    @DisplayName("the marker of completed work is never cleaned up")
    void markerSurvivesSweep() throws Exception {
        assumeTrue(fixture().skipsTime(), "takes days");
        Node alice = node("alice");
        assertThat(alice.client.runOnce("lock", "v1", lease -> {})).isInstanceOf(Once.Ran.class);
        advance(Duration.ofHours(30));
        alice.client.inspect().cleanup(false);
        assertThat(alice.client.runOnce("lock", "v1", lease -> {})).isInstanceOf(Once.AlreadyDone.class);
    }
}
