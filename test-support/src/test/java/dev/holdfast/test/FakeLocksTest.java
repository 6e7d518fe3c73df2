package dev.holdfast.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Attempt;
import dev.holdfast.ClientConfig;
import dev.holdfast.Holder;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockBusyException;
import dev.holdfast.LockClient;
import dev.holdfast.LockListener;
import dev.holdfast.Once;
import dev.holdfast.failure.ClientClosedException;
import dev.holdfast.model.EventType;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LostReason;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.StoreUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("fake locks")
@Timeout(60)
class FakeLocksTest {
    private final FakeLocks locks = new FakeLocks();
    private final LockClient client = locks.client();
    private final Instant start = locks.now();

    @AfterEach
    void close() {
        locks.close();
    }

    private Duration passed() {
        return Duration.between(start, locks.now());
    }

    private static Duration seconds(long count) {
        return Duration.ofSeconds(count);
    }

    @Nested
    @DisplayName("who holds")
    class Holding {
        @Test
        @DisplayName("a client takes and releases a lock, and the test sees it")
        void takes() throws Exception {
            assertThat(locks.isHeld("report")).isFalse();
            assertThat(locks.holder("report")).isEmpty();
            Lease lease = client.acquire("report", o -> o.reason("the night"));
            assertThat(locks.isHeld("report")).isTrue();
            Holder holder = locks.holder("report").orElseThrow();
            assertThat(holder.owner()).isEqualTo("client-under-test");
            assertThat(holder.reason()).isEqualTo("the night");
            assertThat(locks.latestToken("report")).isEqualTo(lease.token());
            assertThat(locks.openLeases()).containsExactly(client.key("report"));
            lease.close();
            assertThat(locks.isHeld("report")).isFalse();
            assertThat(locks.openLeases()).isEmpty();
            locks.assertAllReleased();
        }

        @Test
        @DisplayName("a part of a lock is held apart from its other parts")
        void parts() throws Exception {
            LockKey stack = client.key("stack");
            try (Lease web = client.acquire(stack.at("web"))) {
                assertThat(locks.isHeld(stack)).isTrue();
                assertThat(locks.isHeld(stack.at("web/api"))).isTrue();
                assertThat(locks.isHeld(stack.at("jobs"))).isFalse();
            }
        }

        @Test
        @DisplayName("clients of different owners exclude each other; the same owner is the same client")
        void others() throws Exception {
            try (Lease mine = client.acquire("report")) {
                assertThat(locks.client("b").tryAcquire("report").isDone()).isFalse();
            }
            try (Lease theirs = locks.client("b").acquire("report")) {
                assertThat(locks.holder("report").orElseThrow().owner()).isEqualTo("b");
            }
            assertThat(locks.client("b")).isSameAs(locks.client("b")).isNotSameAs(client);
        }

        @Test
        @DisplayName("locks that are not released are named")
        void leak() throws Exception {
            Lease kept = client.acquire("report");
            Lease other = locks.client("b").acquire("import");
            assertThatThrownBy(locks::assertAllReleased)
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("report")
                    .hasMessageContaining("import");
            assertThat(kept.release() && other.release()).isTrue();
            locks.assertAllReleased();
        }

        @Test
        @DisplayName("the settings of the client count")
        void settings() throws Exception {
            try (FakeLocks own = new FakeLocks(
                            ClientConfig.DEFAULT.withNamespace("billing").withOwner("worker-7"));
                    Lease lease = own.client().acquire("run")) {
                assertThat(own.isHeld(LockKey.of("billing", "run"))).isTrue();
                assertThat(own.isHeld("run")).isTrue();
                assertThat(own.holder("run").orElseThrow().owner()).isEqualTo("worker-7");
            }
        }
    }

    @Nested
    @DisplayName("somebody else")
    class Busy {
        @Test
        @DisplayName("holds a lock until freed, however much time passes, with a lower token than the next")
        void busy() throws Exception {
            Rival rival = locks.busy("report");
            locks.advance(Duration.ofHours(3));
            assertThat(rival.holds()).isTrue();
            Attempt<Lease> attempt = client.tryAcquire("report");
            assertThat(attempt).isInstanceOf(Attempt.Busy.class);
            rival.free();
            assertThat(rival.holds()).isFalse();
            assertThat(locks.isHeld("report")).isFalse();
            try (Lease lease = client.acquire("report")) {
                assertThat(lease.token()).isGreaterThan(rival.token());
            }
            rival.free(); // twice does no harm
        }

        @Test
        @DisplayName("is shown and shares as the options say")
        void options() throws Exception {
            LockKey key = client.key("catalogue");
            try (Rival reader =
                            locks.busy(key, o -> o.shared().owner("reader-3").reason("reads"));
                    Lease mine = client.acquire(key, AcquireOptions::shared)) {
                assertThat(reader.key()).isEqualTo(key);
                assertThat(locks.holder(key).orElseThrow().owner()).isEqualTo("reader-3");
                assertThat(locks.look(key).holders()).hasSize(2);
            }
            assertThat(locks.isHeld(key)).isFalse();
        }

        @Test
        @DisplayName("that dies keeps the lock until its lease is over")
        void dies() throws Exception {
            Rival rival = locks.busy("report");
            locks.advance(seconds(100));
            rival.die();
            locks.advance(seconds(19));
            assertThat(locks.isHeld("report")).isTrue();
            locks.advance(seconds(11));
            assertThat(locks.isHeld("report")).isFalse();
            client.acquire("report").close();
        }

        @Test
        @DisplayName("cannot take what is held")
        void held() throws Exception {
            try (Lease lease = client.acquire("report")) {
                assertThatIllegalStateException()
                        .isThrownBy(() -> locks.busy("report"))
                        .withMessageContaining("report")
                        .withMessageContaining("client-under-test");
            }
        }
    }

    @Nested
    @DisplayName("time")
    class Time {
        @Test
        @DisplayName("stands still, and passes by exactly what the test says; also on a clock for the code under test")
        void advances() {
            locks.advance(Duration.ofMillis(1_234));
            assertThat(passed()).isEqualTo(Duration.ofMillis(1_234));
            assertThat(locks.clock().instant()).isEqualTo(locks.now());
            assertThatIllegalArgumentException().isThrownBy(() -> locks.advance(seconds(-1)));
        }

        @Test
        @DisplayName("renews leases, for hours")
        void renews() throws Exception {
            try (Lease lease = client.acquire("report")) {
                locks.advance(Duration.ofHours(6));
                assertThat(lease.isValid()).isTrue();
                assertThat(locks.holder("report").orElseThrow().renewedAt())
                        .isAfter(locks.now().minusSeconds(11));
            }
        }

        @Test
        @DisplayName("a wait of the test's own thread moves it to the end of the wait")
        void waitEnds() {
            locks.busy("report");
            assertThatThrownBy(() -> client.acquire("report", o -> o.waitUpTo(seconds(7))))
                    .isInstanceOf(LockBusyException.class)
                    .hasMessageContaining("somebody-else");
            assertThat(passed()).isEqualTo(seconds(7));
        }

        @Test
        @DisplayName("a wait of the test's own thread moves it until the lock is granted")
        void waitIsGranted() throws Exception {
            locks.busy("report").die();
            try (Lease lease = client.acquire("report", o -> o.waitUpTo(Duration.ofHours(1)))) {
                assertThat(lease.isValid()).isTrue();
                assertThat(passed()).isBetween(seconds(30), seconds(32));
            }
        }

        @Test
        @DisplayName("every call that waits moves it")
        void everyCall() throws Exception {
            LockKey key = client.key("report");
            locks.busy(key);
            assertThat(client.tryAcquire(key, o -> o.waitUpTo(seconds(1))).isDone())
                    .isFalse();
            assertThat(client.tryAcquireUninterruptibly(key, o -> o.waitUpTo(seconds(1)))
                            .isDone())
                    .isFalse();
            assertThatThrownBy(() -> client.acquireUninterruptibly(key, o -> o.waitUpTo(seconds(1))))
                    .isInstanceOf(LockBusyException.class);
            assertThatThrownBy(() -> client.acquireAll(List.of(client.key("a"), key), o -> o.waitUpTo(seconds(1))))
                    .isInstanceOf(LockBusyException.class);
            assertThatThrownBy(() -> client.run(key, o -> o.waitUpTo(seconds(1)), lease -> 1))
                    .isInstanceOf(LockBusyException.class);
            assertThat(client.tryRun(key, o -> o.waitUpTo(seconds(1)), lease -> 1)
                            .isDone())
                    .isFalse();
            assertThat(client.runOnce(key, "v1", o -> o.waitUpTo(seconds(1)), lease -> {}))
                    .isInstanceOf(Once.StillRunning.class);
            assertThat(passed()).isEqualTo(seconds(7));
        }

        @Test
        @DisplayName("a wait without end on the test's thread fails and says what to do")
        void waitsForever() {
            locks.busy("report");
            assertThatIllegalStateException()
                    .isThrownBy(() -> client.acquire("report", AcquireOptions::waitForever))
                    .withMessageContaining("'report'")
                    .withMessageContaining("waitUpTo");
        }

        @Test
        @DisplayName("a wait on another thread ends when the test frees the lock")
        void freed() throws Exception {
            Rival rival = locks.busy("report");
            CompletableFuture<String> work = elsewhere(() -> client.run("report", lease -> "done"));
            locks.awaitWaiting("report", 1);
            rival.free();
            assertThat(work.join()).isEqualTo("done");
            assertThat(passed()).isZero();
        }

        @Test
        @DisplayName("a wait on another thread ends when the test lets its time pass, and not before")
        void timesOut() throws Exception {
            locks.busy("report");
            CompletableFuture<String> work = elsewhere(() -> client.run("report", lease -> "done"));
            locks.awaitWaiting("report", 1);
            locks.advance(Duration.ofMillis(29_999));
            assertThat(locks.look(client.key("report")).waiters()).hasSize(1);
            locks.advance(Duration.ofMillis(1));
            assertThatThrownBy(work::join).hasCauseInstanceOf(LockBusyException.class);
        }

        @Test
        @DisplayName("a wait on another thread fails if nobody moves the clock, and says so")
        void forgotten() {
            try (FakeLocks hasty = new FakeLocks(ClientConfig.DEFAULT, Duration.ofMillis(50))) {
                hasty.busy("report");
                CompletableFuture<String> work = elsewhere(() -> hasty.client().run("report", lease -> "done"));
                assertThatThrownBy(work::join)
                        .hasCauseInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("'report'")
                        .hasMessageContaining("advance");
            }
        }

        @Test
        @DisplayName("who waits in vain for somebody to wait is told")
        void nobodyWaits() {
            try (FakeLocks hasty = new FakeLocks(ClientConfig.DEFAULT, Duration.ofMillis(50))) {
                hasty.busy("report");
                assertThatIllegalStateException()
                        .isThrownBy(() -> hasty.awaitWaiting("report", 1))
                        .withMessageStartingWith("0 callers wait for lock 'report'");
            }
        }

        @Test
        @DisplayName("a wait on another thread can be interrupted, and leaves no place in the queue")
        void interrupted() throws Exception {
            locks.busy("report");
            CompletableFuture<Throwable> heard = new CompletableFuture<>();
            Thread thread = new Thread(() -> {
                try {
                    client.acquire("report").close();
                } catch (InterruptedException | RuntimeException e) {
                    heard.complete(e);
                }
            });
            thread.start();
            locks.awaitWaiting("report", 1);
            thread.interrupt();
            assertThat(heard.join()).isInstanceOf(InterruptedException.class);
            assertThat(locks.look(client.key("report")).waiters()).isEmpty();
        }

        @Test
        @DisplayName("work that follows an answer has run when the lock is freed, and may use it")
        void asynchronous() {
            Rival rival = locks.busy("report");
            List<String> done = new ArrayList<>();
            CompletableFuture<Void> work = client.acquireAsync("report", o -> o.waitUpTo(seconds(20)))
                    .thenAccept(attempt -> {
                        try (Lease lease = attempt.orThrow()) {
                            lease.ensureValid();
                            done.add("under the lock");
                        }
                    });
            assertThat(work).isNotDone();
            rival.free();
            assertThat(work).isCompleted();
            assertThat(done).containsExactly("under the lock");
            assertThat(client.acquireAsync("report").thenApply(attempt -> {
                        attempt.orThrow().close();
                        return "again";
                    }))
                    .isCompletedWithValue("again");
        }

        @Test
        @DisplayName("a listener on the test's thread may wait for another lock")
        void listenerWaits() throws Exception {
            Lease lease = client.acquire("report");
            locks.busy("import");
            List<Object> heard = new ArrayList<>();
            lease.onLost(reason -> {
                heard.add(reason);
                heard.add(client.tryAcquireUninterruptibly(client.key("import"), o -> o.waitUpTo(seconds(5)))
                        .isDone());
            });
            locks.lose("report", LostReason.FORCED);
            assertThat(heard).containsExactly(LostReason.FORCED, false);
        }

        @Test
        @DisplayName("closing a client in order lets the time pass in which its work may end")
        void drains() throws Exception {
            Lease lease = client.acquire("report");
            client.close(seconds(10));
            assertThat(passed()).isEqualTo(seconds(10));
            assertThat(lease.lostFor()).contains(LostReason.CLOSED);
            assertThat(locks.isHeld("report")).isFalse();
            assertThatThrownBy(() -> client.acquire("report")).isInstanceOf(ClientClosedException.class);
        }
    }

    @Test
    @DisplayName("a lease that was released by its id is not left open")
    void releasedById() throws Exception {
        Lease lease = client.acquire("report");
        assertThat(client.release(lease.key(), lease.leaseId()).join()).isTrue();
        locks.assertAllReleased();
    }

    @Test
    @DisplayName(
            "who waits while the client is closed in order hears so at once, though the lock would have become free")
    void waitsWhileClosing() throws Exception {
        Lease lease = client.acquire("report");
        CompletableFuture<Attempt<Lease>> waiting =
                client.acquireAsync("report", o -> o.waitUpTo(Duration.ofMinutes(1)));
        client.close(Duration.ofSeconds(10));
        assertThat(lease.lostFor()).contains(LostReason.CLOSED);
        assertThat(waiting)
                .failsWithin(Duration.ofSeconds(10))
                .withThrowableThat()
                .withCauseInstanceOf(ClientClosedException.class);
    }

    @Nested
    @DisplayName("an outage")
    class Outages {
        @Test
        @DisplayName("fails every call at once, and nothing was changed")
        void fails() throws Exception {
            LockKey key = client.key("report");
            try (FakeLocks.Outage outage = locks.outage()) {
                assertUnavailable(() -> client.acquire(key));
                assertUnavailable(() -> client.tryAcquire(key));
                assertUnavailable(() -> client.tryAcquireUninterruptibly(key, o -> {}));
                assertUnavailable(() -> client.run("report", lease -> "x"));
                assertUnavailable(() -> client.inspect().get(key));
                assertUnavailable(() -> locks.client("late").acquire(key));
                assertUnavailable(() -> client.watch(event -> {}));
                assertThatThrownBy(() -> client.acquireAsync(key, o -> o.waitUpTo(seconds(3)))
                                .join())
                        .isInstanceOf(CompletionException.class)
                        .hasCauseInstanceOf(StoreUnavailableException.class);
            }
            assertThat(passed()).isZero();
            assertThat(locks.isHeld(key)).isFalse();
            client.acquire(key).close();
            locks.client("late").acquire(key).close();
        }

        private void assertUnavailable(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
            assertThatThrownBy(call)
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("outage");
        }

        @Test
        @DisplayName("that is short does not cost a lease, a long one does")
        void leases() throws Exception {
            Lease lease = client.acquire("report");
            List<LostReason> heard = new ArrayList<>();
            lease.onLost(heard::add);
            FakeLocks.Outage shortOne = locks.outage();
            locks.advance(seconds(15));
            shortOne.close();
            locks.advance(seconds(60));
            assertThat(lease.isValid()).isTrue();
            FakeLocks.Outage longOne = locks.outage();
            locks.advance(seconds(31));
            longOne.close();
            assertThat(lease.isValid()).isFalse();
            assertThat(heard).containsExactly(LostReason.STORE_UNREACHABLE);
            assertThat(locks.isHeld("report")).isFalse();
        }

        @Test
        @DisplayName("while a lock is released leaves it held until the lease is over")
        void release() throws Exception {
            Lease lease = client.acquire("report");
            FakeLocks.Outage outage = locks.outage();
            assertThatThrownBy(lease::release).isInstanceOf(StoreUnavailableException.class);
            outage.close();
            assertThat(locks.isHeld("report")).isTrue();
            locks.advance(seconds(31));
            assertThat(locks.isHeld("report")).isFalse();
        }

        @Test
        @DisplayName("does not reach somebody else")
        void rivals() {
            Rival rival = locks.busy("report");
            FakeLocks.Outage outage = locks.outage();
            locks.advance(Duration.ofHours(1));
            assertThat(rival.holds()).isTrue();
            assertThatIllegalStateException().isThrownBy(locks::outage);
            outage.close();
            FakeLocks.Outage next = locks.outage();
            outage.close(); // the earlier one is over, this one is not
            assertThatThrownBy(() -> client.tryAcquire("report")).isInstanceOf(StoreUnavailableException.class);
            next.close();
        }

        @Test
        @DisplayName("is waited out by once-only work, in the time of the fake")
        void onceOnly() throws Exception {
            CompletableFuture<Void> begun = new CompletableFuture<>();
            FakeLocks.Outage outage = locks.outage();
            assertThatThrownBy(() -> client.runOnce("schema", "v1", lease -> begun.complete(null)))
                    .isInstanceOf(StoreUnavailableException.class);
            assertThat(passed())
                    .isBetween(Duration.ofMinutes(5), Duration.ofMinutes(5).plusSeconds(2));
            outage.close();
            assertThat(begun).isNotDone();
            assertThatThrownBy(() -> client.runOnce("schema", "v1", lease -> locks.outage()))
                    .isInstanceOf(StoreUnavailableException.class);
        }

        @Test
        @DisplayName("in which answers get lost leaves it unclear what was changed")
        void unclear() throws Exception {
            Lease lease = client.acquire("import");
            try (FakeLocks.Outage outage = locks.unclear()) {
                assertThatThrownBy(() -> client.acquire("report")).isInstanceOf(OutcomeUnknownException.class);
                assertThatThrownBy(lease::release).isInstanceOf(OutcomeUnknownException.class);
                assertThatThrownBy(() -> client.inspect().get(client.key("report")))
                        .isInstanceOf(StoreUnavailableException.class);
            }
            assertThat(locks.isHeld("report")).isFalse();
            assertThat(locks.isHeld("import")).isTrue();
        }
    }

    @Nested
    @DisplayName("a lease is lost")
    class Losing {
        private final List<LostReason> heard = new ArrayList<>();

        private Lease taken() throws InterruptedException {
            Lease lease = client.acquire("report");
            lease.onLost(heard::add);
            return lease;
        }

        private void assertLost(Lease lease, LostReason reason) {
            assertThat(lease.isValid()).isFalse();
            assertThat(lease.lostFor()).contains(reason);
            assertThat(heard).containsExactly(reason);
            assertThatThrownBy(lease::ensureValid).isInstanceOf(LeaseLostException.class);
            assertThat(locks.isHeld("report")).isFalse();
            assertThat(locks.openLeases()).doesNotContain(client.key("report"));
        }

        @Test
        @DisplayName("by force, at once")
        void forced() throws Exception {
            Lease lease = taken();
            locks.lose("report", LostReason.FORCED);
            assertLost(lease, LostReason.FORCED);
            assertThat(passed()).isLessThanOrEqualTo(Duration.ofMillis(100));
        }

        @Test
        @DisplayName("by force, also one of another client")
        void forcedElsewhere() throws Exception {
            Lease lease = locks.client("b").acquire("report");
            lease.onLost(heard::add);
            locks.lose("report", LostReason.FORCED);
            assertLost(lease, LostReason.FORCED);
        }

        @Test
        @DisplayName("by force, which a lease without renewal hears of when it is released")
        void forcedUnrenewed() throws Exception {
            Lease lease = client.acquire("report", AcquireOptions::withoutRenewal);
            locks.lose("report", LostReason.FORCED);
            assertThat(locks.isHeld("report")).isFalse();
            assertThat(lease.isValid()).isTrue();
            assertThat(lease.release()).isFalse();
        }

        @Test
        @DisplayName("by a pause, while the other clients go on")
        void paused() throws Exception {
            Lease lease = taken();
            Lease other = locks.client("b").acquire("import");
            locks.lose("report", LostReason.PAUSED);
            assertLost(lease, LostReason.PAUSED);
            assertThat(passed()).isBetween(seconds(30), seconds(31));
            assertThat(other.isValid()).isTrue();
            other.close();
        }

        @Test
        @DisplayName("because the store cannot be reached, while the other clients go on")
        void unreachable() throws Exception {
            Lease lease = taken();
            Lease other = locks.client("b").acquire("import");
            locks.lose("report", LostReason.STORE_UNREACHABLE);
            assertLost(lease, LostReason.STORE_UNREACHABLE);
            assertThat(other.isValid()).isTrue();
            other.close();
            client.acquire("report").close();
        }

        @Test
        @DisplayName("because its time is over, if it is not renewed")
        void expired() throws Exception {
            Lease lease = client.acquire("report", o -> o.withoutRenewal().lease(seconds(5)));
            lease.onLost(heard::add);
            locks.lose("report", LostReason.EXPIRED);
            assertLost(lease, LostReason.EXPIRED);
            assertThat(passed()).isBetween(seconds(5), seconds(6));
        }

        @Test
        @DisplayName("only in ways that there are")
        void impossible() throws Exception {
            try (Lease lease = client.acquire("report");
                    Lease short1 = client.acquire("short", AcquireOptions::withoutRenewal)) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> locks.lose("report", LostReason.EXPIRED))
                        .withMessageContaining("PAUSED");
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> locks.lose("report", LostReason.CLOSED))
                        .withMessageContaining("supports");
                assertThatIllegalArgumentException().isThrownBy(() -> locks.lose("short", LostReason.PAUSED));
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> locks.lose("short", LostReason.STORE_UNREACHABLE));
                assertThat(lease.isValid() && short1.isValid()).isTrue();
            }
            assertThatIllegalStateException()
                    .isThrownBy(() -> locks.lose("report", LostReason.FORCED))
                    .withMessageContaining("free");
            locks.busy("report");
            assertThatIllegalStateException()
                    .isThrownBy(() -> locks.lose("report", LostReason.FORCED))
                    .withMessageContaining("somebody-else");
        }

        @Test
        @DisplayName("in a pause another takes the lock, and who comes back has the lower token")
        void takenOver() throws Exception {
            Lease lease = taken();
            CompletableFuture<Attempt<Lease>> next =
                    locks.client("b").acquireAsync("report", o -> o.waitUpTo(Duration.ofMinutes(5)));
            locks.pause(Duration.ofMinutes(1));
            assertThat(next).isCompleted();
            Lease theirs = next.join().orThrow();
            assertThat(heard).containsExactly(LostReason.PAUSED);
            assertThat(theirs.isValid()).isTrue();
            assertThat(theirs.token()).isGreaterThan(lease.token());
            theirs.close();
        }

        @Test
        @DisplayName("in a pause a caller that waits is passed over, and has its turn later")
        void passedOver() {
            Rival rival = locks.busy("report");
            CompletableFuture<Attempt<Lease>> first =
                    client.acquireAsync("report", o -> o.waitUpTo(Duration.ofMinutes(10)));
            CompletableFuture<Attempt<Lease>> second =
                    locks.client("b").acquireAsync("report", o -> o.waitUpTo(Duration.ofMinutes(10)));
            rival.die();
            locks.pause(Duration.ofMinutes(1));
            assertThat(first).isNotDone();
            assertThat(second).isCompleted();
            second.join().orThrow().close();
            locks.advance(seconds(5));
            assertThat(first).isCompleted();
            first.join().orThrow().close();
        }

        @Test
        @DisplayName("by force in a pause, of which it hears afterwards")
        void forcedInPause() throws Exception {
            Lease lease = taken();
            LockClient other = locks.client("b");
            List<Object> atOnce = new ArrayList<>();
            other.acquire("alarm", o -> o.withoutRenewal().lease(seconds(5))).onLost(reason -> {
                other.inspect()
                        .forceUnlock(lease.key(), lease.token(), "while it sleeps")
                        .orThrow();
                atOnce.addAll(heard);
            });
            locks.pause(seconds(15));
            assertThat(atOnce).isEmpty();
            assertLost(lease, LostReason.FORCED);
        }

        @Test
        @DisplayName("in a pause that is short nothing is lost")
        void shortPause() throws Exception {
            try (Lease lease = client.acquire("report")) {
                locks.pause(seconds(25));
                assertThat(lease.isValid()).isTrue();
                locks.advance(seconds(60));
                assertThat(lease.isValid()).isTrue();
            }
        }
    }

    @Nested
    @DisplayName("who listens")
    class Listening {
        @Test
        @DisplayName("hears of its locks, with the times of the fake clock")
        void listener() throws Exception {
            List<String> heard = new ArrayList<>();
            LockListener listener = new LockListener() {
                @Override
                public void acquired(Lease lease, Duration waited) {
                    heard.add("acquired after " + waited.toSeconds());
                }

                @Override
                public void released(LockKey key, Duration held) {
                    heard.add("released after " + held.toSeconds());
                }
            };
            try (FakeLocks own = new FakeLocks(ClientConfig.DEFAULT.withListener(listener))) {
                own.busy("report").die();
                try (Lease lease = own.client().acquire("report", o -> o.waitUpTo(Duration.ofMinutes(1)))) {
                    own.advance(seconds(90));
                }
            }
            assertThat(heard).containsExactly("acquired after 30", "released after 90");
        }

        @Test
        @DisplayName("hears of the events of all processes")
        void events() throws Exception {
            List<EventType> heard = new ArrayList<>();
            try (LockClient.Subscription events =
                    client.watch(event -> heard.add(event.event().type()))) {
                client.acquire("report").close();
                assertThat(heard).containsExactly(EventType.ACQUIRED, EventType.RELEASED);
                locks.busy("report").free();
                locks.advance(seconds(1));
                assertThat(heard).hasSize(4);
            }
        }

        @Test
        @DisplayName("gets answers on the executor of the client")
        void executor() {
            List<Runnable> tasks = new ArrayList<>();
            try (FakeLocks own = new FakeLocks(ClientConfig.DEFAULT.withExecutor(tasks::add))) {
                CompletableFuture<Attempt<Lease>> answer = own.client().acquireAsync("report");
                assertThat(answer).isNotDone();
                tasks.forEach(Runnable::run);
                assertThat(answer).isCompleted();
            }
            try (FakeLocks own = new FakeLocks(ClientConfig.DEFAULT.withExecutor(Runnable::run))) {
                Rival rival = own.busy("report");
                CompletableFuture<Void> work = own.client()
                        .acquireAsync("report", o -> o.waitUpTo(seconds(5)))
                        .thenAccept(attempt -> attempt.orThrow().close());
                rival.free();
                assertThat(work).isCompleted();
            }
        }
    }

    @Nested
    @DisplayName("many threads")
    class Threads {
        @Test
        @DisplayName("exclude each other while the test moves the clock, and none is forgotten")
        void crowd() throws Exception {
            AtomicInteger inside = new AtomicInteger();
            AtomicInteger most = new AtomicInteger();
            List<CompletableFuture<Integer>> all = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                LockClient own = i % 2 == 0 ? client : locks.client("b");
                all.add(elsewhere(() -> {
                    for (int turn = 0; turn < 50; turn++) {
                        own.execute("report", o -> o.waitUpTo(Duration.ofDays(1)), lease -> {
                            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                            lease.ensureValid();
                            inside.decrementAndGet();
                        });
                    }
                    return 50;
                }));
            }
            CompletableFuture<Void> done = CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
            while (!done.isDone()) {
                locks.advance(Duration.ofMillis(10));
            }
            done.join();
            assertThat(most).hasValue(1);
            locks.assertAllReleased();
        }
    }

    @Nested
    @DisplayName("the end")
    class End {
        @Test
        @DisplayName("tells leases that are open, and who waits")
        void closes() throws Exception {
            FakeLocks own = new FakeLocks();
            Lease lease = own.client().acquire("report");
            own.busy("import");
            CompletableFuture<Attempt<Lease>> waiting =
                    own.client().acquireAsync("import", o -> o.waitUpTo(seconds(9)));
            own.close();
            assertThat(lease.lostFor()).contains(LostReason.CLOSED);
            assertThat(waiting).isCompletedExceptionally();
            own.close(); // twice does no harm
        }

        @Test
        @DisplayName("fails with what a listener has thrown")
        void listenerThrows() throws Exception {
            FakeLocks own = new FakeLocks();
            Lease lease = own.client().acquire("report");
            lease.onLost(reason -> assertThat(reason).isEqualTo(LostReason.PAUSED));
            own.lose("report", LostReason.FORCED);
            assertThatThrownBy(own::close)
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("listener")
                    .hasMessageContaining("PAUSED");
        }
    }

    // ---- help

    private interface Waiting<T> {
        T get() throws Exception;
    }

    private static <T> CompletableFuture<T> elsewhere(Waiting<T> call) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        answer.complete(call.get());
                    } catch (Throwable e) {
                        answer.completeExceptionally(e);
                    }
                },
                "worker");
        thread.setDaemon(true);
        thread.start();
        return answer;
    }
}
