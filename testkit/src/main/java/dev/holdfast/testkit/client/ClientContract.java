package dev.holdfast.testkit.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Attempt;
import dev.holdfast.ClientConfig;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockBusyException;
import dev.holdfast.LockClient;
import dev.holdfast.LockListener;
import dev.holdfast.Once;
import dev.holdfast.failure.ClientClosedException;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.Token;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.testkit.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.ThrowingSupplier;

/** What users of {@link LockClient} may rely on, whatever it is connected to. */
public abstract class ClientContract extends ConnectedContract {
    private static final LockKey KEY = LockKey.of("default", "report");
    /** As many continuations as a client has threads for them, and some more. */
    private static final int CROWD = 40;

    private LockClient client = LockClient.connect("memory:");
    private LockClient other = client;

    @BeforeEach
    void open() {
        client.close();
        client = opened(ClientConfig.DEFAULT);
        other = opened(ClientConfig.DEFAULT.withOwner("other"));
    }

    // ---- closed

    @Test
    @DisplayName("every call on a closed client ends at once, and says that it is closed")
    void closed() throws Exception {
        Lease lease = client.acquire("a");
        Lease several = client.acquireAll(List.of(LockKey.of("default", "b"), LockKey.of("default", "c")), o -> {});
        client.close();
        ends(() -> client.acquire("a"));
        ends(() -> client.tryAcquire("a"));
        ends(() -> client.acquireAsync(KEY, o -> {}).get());
        ends(() -> client.renew(KEY, lease.leaseId()).get());
        ends(() -> client.release(KEY, lease.leaseId()).get());
        ends(() -> client.inspect().get(KEY));
        ends(() -> client.inspect().list(ScanRequest.all()));
        ends(() -> client.inspect().forceUnlock(KEY, lease.token(), "test"));
        ends(lease::release);
        ends(several::release);
        ends(() -> lease.releaseAsync().get());
        assertThat(lease.extend(Duration.ofMinutes(1))).isFalse();
        lease.close();
    }

    private static void ends(ThrowingSupplier<?> call) {
        CompletableFuture<Optional<Throwable>> ended = CompletableFuture.supplyAsync(() -> {
            try {
                call.get();
                return Optional.empty();
            } catch (ExecutionException e) {
                return Optional.ofNullable(e.getCause());
            } catch (Throwable e) {
                return Optional.of(e);
            }
        });
        Optional<Throwable> failure = Await.get(ended);
        failure.ifPresent(
                it -> assertThat(it).isInstanceOf(ClientClosedException.class).hasMessageContaining("closed"));
    }

    @Test
    @DisplayName("who waits when the client is closed is told so")
    void closedWhileWaiting() throws Exception {
        try (Lease lease = other.acquire(KEY, o -> {})) {
            CompletableFuture<Attempt<Lease>> waiting =
                    client.acquireAsync(KEY, o -> o.waitUpTo(Duration.ofMinutes(1)));
            Await.until("it waits", () -> waiters() == 1);
            client.close();
            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(() -> waiting.get(30, TimeUnit.SECONDS))
                    .withCauseInstanceOf(ClientClosedException.class);
            assertThat(lease.isValid()).isTrue();
        }
    }

    private int waiters() {
        return other.inspect().get(KEY).waiters().size();
    }

    // ---- answers that nobody waits for any more

    @Test
    @DisplayName("whatever way a future is ended from outside, its place in the queue is given up")
    void placeGivenUp() throws Exception {
        try (Lease lease = other.acquire(KEY, o -> {})) {
            List<CompletableFuture<?>> asked = new ArrayList<>();
            asked.add(ask().orTimeout(1, TimeUnit.MILLISECONDS));
            asked.add(ask().completeOnTimeout(new Attempt.Lost<>(KEY, LostReason.UNKNOWN), 1, TimeUnit.MILLISECONDS));
            asked.add(ask().thenApply(attempt -> attempt).orTimeout(1, TimeUnit.MILLISECONDS));
            asked.add(ask().thenApply(attempt -> attempt)
                    .thenAccept(attempt -> {})
                    .orTimeout(1, TimeUnit.MILLISECONDS));
            for (int i = 0; i < 3; i++) {
                CompletableFuture<?> one = ask();
                asked.add(one);
                Await.until("it waits", () -> waiters() > 0);
                boolean ended = switch (i) {
                    case 0 -> one.cancel(true);
                    case 1 -> one.complete(null);
                    default -> one.completeExceptionally(new IllegalStateException("enough"));
                };
                assertThat(ended).isTrue();
            }
            Await.until("nobody waits any more", () -> waiters() == 0);
            assertThat(asked).allMatch(CompletableFuture::isDone);
            assertThat(lease.isValid()).isTrue();
        }
        Await.until(
                "it is free",
                this::free); // a question under way when it was given up is taken back when its answer comes
    }

    private CompletableFuture<Attempt<Lease>> ask() {
        return client.acquireAsync(KEY, o -> o.waitUpTo(Duration.ofMinutes(1)));
    }

    private boolean free() {
        return other.inspect().get(KEY).holders().isEmpty();
    }

    @Test
    @DisplayName("a stage that is given up does not take the answer away from another that still wants it")
    void otherStage() throws Exception {
        CompletableFuture<Attempt<Lease>> asked;
        CompletableFuture<Boolean> wanted;
        try (Lease lease = other.acquire(KEY, o -> {})) {
            asked = ask();
            wanted = asked.thenApply(attempt -> attempt instanceof Attempt.Done);
            asked.thenApply(attempt -> attempt).cancel(true);
            assertThat(lease.isValid()).isTrue();
        }
        assertThat(Await.get(wanted)).isTrue();
        Await.get(asked).fold(done -> done.value().release(), busy -> false, lost -> false);
    }

    @Test
    @DisplayName("thousands of answers that race with their end from outside leave no lock behind")
    void races() throws Exception {
        Random random = new Random(7);
        for (int round = 0; round < attempts(); round++) {
            int pause = random.nextInt(3_000);
            CompletableFuture<Attempt<Lease>> asked = ask();
            long end = System.nanoTime() + pause * 1_000L / 3;
            while (System.nanoTime() < end) {
                Thread.onSpinWait();
            }
            boolean ours = switch (round % 3) {
                case 0 -> asked.cancel(false);
                case 1 -> asked.completeExceptionally(new IllegalStateException("enough"));
                default -> asked.complete(new Attempt.Lost<>(KEY, LostReason.UNKNOWN));
            };
            if (!ours) {
                Await.get(asked).fold(done -> done.value().release(), busy -> false, lost -> false);
            }
            if (round % 100 == 99) {
                Await.until("all is given back", this::free);
            }
        }
        Await.until("all is given back", this::free);
        assertThat(waiters()).isZero();
    }

    /** How many; a server takes longer for each. */
    protected int attempts() {
        return 3_000;
    }

    // ---- nobody starves

    @Test
    @DisplayName("continuations that block keep neither the news of a loss nor a look from coming")
    void lanes() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        List<Lease> held = new ArrayList<>();
        List<CompletableFuture<?>> blocked = new ArrayList<>();
        try (Lease lease = client.acquire(KEY, o -> o.lease(Duration.ofSeconds(2)))) {
            for (int i = 0; i < CROWD; i++) {
                LockKey key = LockKey.of("default", "crowd-" + i);
                held.add(other.acquire(key, o -> {}));
                blocked.add(client.acquireAsync(key, o -> o.waitUpTo(Duration.ofMinutes(1)))
                        .thenAccept(attempt -> {
                            client.inspect().get(KEY); // may be asked from there, too
                            blockUntil(go);
                        }));
            }
            held.forEach(Lease::release);
            AtomicReference<LostReason> lost = new AtomicReference<>();
            lease.onLost(lost::set);
            other.inspect().forceUnlock(KEY, lease.token(), "test");
            Await.until("the holder hears of it", () -> lost.get() == LostReason.FORCED);
            assertThat(client.inspect().get(KEY).holders()).isEmpty();
        } finally {
            go.countDown();
        }
        blocked.forEach(Await::get);
    }

    private static void blockUntil(CountDownLatch go) {
        try {
            go.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @DisplayName("what follows an answer runs on the executor it was given")
    void executor() throws Exception {
        ExecutorService mine = Executors.newSingleThreadExecutor(task -> new Thread(task, "mine"));
        try {
            LockClient own = opened(ClientConfig.DEFAULT.withExecutor(mine));
            CompletableFuture<String> thread;
            try (Lease lease = other.acquire(KEY, o -> {})) {
                thread = own.acquireAsync(KEY, o -> o.waitUpTo(Duration.ofMinutes(1)))
                        .thenApply(attempt -> Thread.currentThread().getName());
                assertThat(lease.isValid()).isTrue();
            }
            assertThat(Await.get(thread)).isEqualTo("mine");
        } finally {
            mine.shutdown();
        }
    }

    @Test
    @DisplayName("an executor that takes no more does not keep answers from coming, nor the engine from going on")
    void fullExecutor() throws Exception {
        LockClient own = opened(ClientConfig.DEFAULT.withExecutor(task -> {
            throw new RejectedExecutionException("full");
        }));
        CompletableFuture<Boolean> released;
        try (Lease lease = other.acquire(KEY)) {
            released = own.acquireAsync(KEY, o -> o.waitUpTo(Duration.ofMinutes(1)))
                    .thenApply(attempt -> attempt.orThrow().release());
            assertThat(lease.isValid()).isTrue();
        }
        assertThat(Await.get(released)).isTrue();
    }

    // ---- what callers have on their thread

    @Test
    @DisplayName("what follows a call finds the context of its caller: answers, losses, events and the listener")
    void context() throws Exception {
        ThreadLocal<String> tenant = ThreadLocal.withInitial(() -> "nobody");
        List<String> heard = new CopyOnWriteArrayList<>();
        LockClient own = opened(ClientConfig.DEFAULT
                .withContext(task -> in(tenant, tenant.get(), task))
                .withListener(listener((what, key, more) -> heard.add(what + " for " + tenant.get()))));
        Lease before = other.acquire(KEY);
        tenant.set("alice");
        CompletableFuture<Attempt<Lease>> asked = own.acquireAsync(KEY, o -> o.waitUpTo(Duration.ofMinutes(1)));
        CompletableFuture<String> answered = asked.thenApply(attempt -> tenant.get());
        tenant.set("bob");
        Queue<String> events = new ConcurrentLinkedQueue<>();
        LockClient.Subscription watch = own.watch(event -> events.add(tenant.get()));
        tenant.remove();
        before.release();
        assertThat(Await.get(answered)).isEqualTo("alice");
        tenant.set("carol");
        CompletableFuture<String> released =
                Await.get(asked).orThrow().releaseAsync().thenApply(held -> tenant.get());
        assertThat(Await.get(released)).isEqualTo("carol");
        Await.until("the grant and the release are told", () -> events.size() >= 2);
        assertThat(events).containsOnly("bob");
        watch.close();
        Lease lease = own.acquire(KEY, o -> o.lease(Duration.ofSeconds(2)));
        tenant.set("dave");
        lease.onLost(reason -> heard.add("told " + tenant.get()));
        tenant.remove();
        other.inspect().forceUnlock(KEY, lease.token(), "test");
        Await.until("the loss is told to both", () -> heard.size() >= 5);
        own.close();
        ends(() -> {
            tenant.set("erin");
            return own.acquireAsync(KEY).get();
        });
        assertThat(heard)
                .containsExactlyInAnyOrder(
                        "acquired for alice",
                        "released for carol",
                        "acquired for carol",
                        "lost for carol",
                        "told dave",
                        "failed for erin");
    }

    private static Runnable in(ThreadLocal<String> variable, String value, Runnable task) {
        return () -> {
            String before = variable.get();
            variable.set(value);
            try {
                task.run();
            } finally {
                variable.set(before);
            }
        };
    }

    @Test
    @DisplayName(
            "a context that cannot be kept or restored keeps nobody from hearing an answer, and nobody hears it twice")
    void brokenContext() throws Exception {
        List<UnaryOperator<Runnable>> broken = List.of(
                task -> {
                    throw new IllegalStateException("cannot be kept");
                },
                task -> () -> {
                    throw new IllegalStateException("cannot be restored");
                },
                task -> () -> {
                    task.run();
                    throw new IllegalStateException("cannot be taken away");
                },
                task -> () -> {},
                task -> () -> {
                    task.run();
                    task.run();
                });
        for (UnaryOperator<Runnable> wrap : broken) {
            LockClient own = opened(ClientConfig.DEFAULT.withContext(wrap));
            CompletableFuture<Boolean> released;
            try (Lease lease = other.acquire(KEY)) {
                released = own.acquireAsync(KEY, o -> o.waitUpTo(Duration.ofMinutes(1)))
                        .thenApply(attempt -> attempt.orThrow().release());
                assertThat(lease.isValid()).isTrue();
            }
            assertThat(Await.get(released)).isTrue();
            List<LostReason> lost = new CopyOnWriteArrayList<>();
            Lease forced = own.acquire(KEY, o -> o.lease(Duration.ofSeconds(2)));
            forced.onLost(lost::add);
            other.inspect().forceUnlock(KEY, forced.token(), "test");
            Await.until("the loss is told", () -> !lost.isEmpty());
            assertThat(lost).containsExactly(LostReason.FORCED);
        }
    }

    // ---- longer

    @Test
    @DisplayName("a lease can be made longer, is renewed for that long from then on, and is never made shorter")
    void extend() throws Exception {
        try (Lease lease =
                client.acquire(KEY, o -> o.lease(Duration.ofSeconds(5)).withoutRenewal())) {
            assertThat(lease.remaining()).isLessThan(Duration.ofSeconds(6));
            assertThat(lease.extend(Duration.ofMinutes(2))).isTrue();
            assertThat(lease.remaining()).isBetween(Duration.ofMinutes(1), Duration.ofMinutes(2));
            assertThat(lease.extend(Duration.ofSeconds(1))).isTrue();
            assertThat(lease.remaining()).isGreaterThan(Duration.ofMinutes(1));
            other.inspect().forceUnlock(KEY, lease.token(), "test");
            assertThat(lease.extend(Duration.ofMinutes(2))).isFalse();
            assertThat(lease.lostFor()).contains(LostReason.FORCED);
        }
    }

    @Test
    @DisplayName("work that releases its lock itself has released it, and was not paused")
    void releasedByWork() throws Exception {
        Attempt<Boolean> attempt = client.tryRun(KEY, o -> {}, Lease::release);
        assertThat(attempt).isEqualTo(new Attempt.Lost<Boolean>(KEY, LostReason.RELEASED));
    }

    // ---- released with a transaction

    /** A transaction that tells of its end, as those of frameworks do. */
    private static final class ToldTransaction implements Lease.Transaction {
        private final List<Runnable> beforeCommit = new ArrayList<>();
        private final List<Runnable> afterEnd = new ArrayList<>();

        @Override
        public void onEnd(Runnable before, Runnable after) {
            beforeCommit.add(before);
            afterEnd.add(after);
        }

        void commit() {
            try {
                beforeCommit.forEach(Runnable::run);
            } finally {
                rollback();
            }
        }

        void rollback() {
            afterEnd.forEach(Runnable::run);
        }
    }

    @Test
    @DisplayName("a lease that was left to a transaction is not released by close, but when the transaction is over")
    void releasedAfterCommit() throws Exception {
        ToldTransaction transaction = new ToldTransaction();
        try (Lease lease = client.acquire(KEY)) {
            lease.releaseAfter(transaction);
        }
        assertThat(other.tryAcquire(KEY).isDone()).isFalse();
        transaction.commit();
        assertThat(other.tryAcquire(KEY).isDone()).isTrue();
    }

    @Test
    @DisplayName("work under a lock may leave its lease to a transaction too, but not work that is remembered as done")
    void workLeavesItToTransaction() throws Exception {
        ToldTransaction transaction = new ToldTransaction();
        client.execute(KEY, o -> {}, lease -> lease.releaseAfter(transaction));
        assertThat(other.tryAcquire(KEY).isDone()).isFalse();
        transaction.commit();
        assertThat(free()).isTrue();
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> client.runOnce(KEY, "1", o -> {}, lease -> lease.releaseAfter(transaction)));
        assertThat(client.runOnce(KEY, "1", o -> {}, lease -> {})).isEqualTo(new Once.Ran());
    }

    @Test
    @DisplayName("several locks are left to a transaction together, and released after a rollback too")
    void severalReleasedAfterRollback() throws Exception {
        LockKey second = LockKey.of("default", "b");
        ToldTransaction transaction = new ToldTransaction();
        try (Lease several = client.acquireAll(List.of(KEY, second))) {
            several.releaseAfter(transaction);
        }
        assertThat(other.tryAcquire(KEY).isDone()).isFalse();
        assertThat(other.tryAcquire(second).isDone()).isFalse();
        transaction.rollback();
        assertThat(other.tryAcquire(KEY).isDone()).isTrue();
        assertThat(other.tryAcquire(second).isDone()).isTrue();
    }

    @Test
    @DisplayName("a transaction whose lease was lost does not commit")
    void lostBeforeCommit() throws Exception {
        ToldTransaction transaction = new ToldTransaction();
        Lease lease = client.acquire(KEY);
        lease.releaseAfter(transaction);
        other.inspect().forceUnlock(KEY, lease.token(), "test");
        assertThat(lease.extend(Duration.ofMinutes(2))).as("hears of it").isFalse();
        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(transaction::commit);
    }

    @Test
    @DisplayName(
            "a lease is released if there is no transaction to leave it to, and may be released before the end of one")
    void withoutTransaction() throws Exception {
        Lease lease = client.acquire(KEY);
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> lease.releaseAfter((before, after) -> {
                    throw new IllegalStateException("there is no transaction");
                }));
        Lease next = other.tryAcquire(KEY).orThrow();
        ToldTransaction transaction = new ToldTransaction();
        next.releaseAfter(transaction);
        assertThat(next.release()).isTrue();
        assertThat(client.tryAcquire(KEY).isDone()).isTrue();
        transaction.rollback();
        assertThat(other.tryAcquire(KEY).isDone()).isFalse();
    }

    // ---- nobody misses a loss

    @Test
    @DisplayName(
            "run gives the value of its work, and throws if the lease was lost meanwhile; execute does the same without one")
    void run() throws Exception {
        assertThat(client.<String, RuntimeException>run(
                        "report", lease -> "sent under " + lease.key().name()))
                .isEqualTo("sent under report");
        AtomicReference<Token> under = new AtomicReference<>();
        client.execute("report", lease -> under.set(lease.token()));
        assertThat(client.tryExecute("report", lease -> under.set(lease.token()))
                        .orThrow())
                .isEqualTo(under.get());
        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(() ->
                        client.run(KEY, o -> {}, lease -> other.inspect().forceUnlock(KEY, lease.token(), "test")))
                .satisfies(lost -> assertThat(lost.reason()).isEqualTo(LostReason.FORCED));
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> client.execute("report", lease -> {
                    throw new IOException("the caller's own");
                }));
        assertThat(free()).isTrue();
    }

    @Test
    @DisplayName("once-only work that was not done stops those who ask for it")
    void onceOrThrow() throws Exception {
        try (Lease lease = other.acquire(KEY)) {
            Once running = client.runOnce(KEY, "v1", o -> o.waitUpTo(Duration.ZERO), unused -> {});
            assertThatExceptionOfType(LockBusyException.class)
                    .isThrownBy(running::orThrow)
                    .satisfies(busy -> assertThat(busy.key()).contains(KEY));
            assertThat(lease.isValid()).isTrue();
        }
        client.runOnce(KEY, "v1", o -> {}, unused -> {}).orThrow();
        client.runOnce(KEY, "v1", o -> {}, unused -> {}).orThrow();
    }

    @Test
    @DisplayName("a lease that nobody can reach any more is not renewed for ever, but released")
    void forgotten() throws Exception {
        forget();
        Await.until("it is released", () -> {
            System.gc();
            return free();
        });
    }

    @Test
    @DisplayName("a lease whose holder wants to hear of its loss is kept, also if nothing else refers to it")
    void heard() throws Exception {
        List<LostReason> lost = new CopyOnWriteArrayList<>();
        client.acquire(KEY, o -> o.lease(Duration.ofSeconds(3))).onLost(lost::add);
        long end = System.nanoTime() + Duration.ofMillis(3_500).toNanos();
        while (System.nanoTime() < end) {
            System.gc();
            Thread.sleep(200);
        }
        assertThat(lost).isEmpty();
        assertThat(free()).isFalse();
        other.inspect()
                .forceUnlock(KEY, other.inspect().get(KEY).holders().get(0).token(), "test");
        Await.until("it hears", () -> lost.equals(List.of(LostReason.FORCED)));
    }

    private void forget() throws InterruptedException {
        client.acquire(KEY, o -> o.lease(Duration.ofSeconds(3)));
        assertThat(free()).isFalse();
    }

    // ---- waiting

    @Test
    @DisplayName("who waits uninterruptibly goes on when interrupted, and finds the interrupt afterwards")
    void uninterruptibly() throws Exception {
        Lease held = other.acquire(KEY);
        CompletableFuture<Boolean> waiting = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try (Lease lease = client.acquireUninterruptibly(KEY, AcquireOptions::waitForever)) {
                waiting.complete(Thread.interrupted() && lease.isValid());
            } catch (RuntimeException e) {
                waiting.completeExceptionally(e);
            }
        });
        thread.start();
        Await.until("it waits", () -> waiters() == 1);
        thread.interrupt();
        assertThat(waiters()).isEqualTo(1);
        held.release();
        assertThat(Await.get(waiting)).isTrue();
        thread.join();
    }

    @Test
    @DisplayName("several locks, and work to be done once, can be waited for without a bound too")
    void foreverEverywhere() throws Exception {
        Lease held = other.acquire(KEY);
        CompletableFuture<Boolean> all = CompletableFuture.supplyAsync(() -> {
            try (Lease both =
                    client.acquireAll(List.of(KEY, LockKey.of("default", "beside")), AcquireOptions::waitForever)) {
                return both.isValid();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        Await.until("it waits", () -> waiters() == 1);
        held.release();
        assertThat(Await.get(all)).isTrue();
        client.runOnce(KEY, "v9", AcquireOptions::waitForever, lease -> {}).orThrow();
    }

    @Test
    @DisplayName("options that cannot be are told by the future, or thrown by who waits")
    void badOptions() {
        CompletableFuture<?> asked = client.acquireAsync(KEY, o -> o.lease(Duration.ofNanos(1)));
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(asked::get)
                .withCauseInstanceOf(IllegalArgumentException.class);
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> client.acquire(KEY, o -> o.waitUpTo(Duration.ofDays(8))))
                .withMessageContaining("wait");
    }

    @Test
    @DisplayName("a name means the same lock however it is asked for")
    void names() throws Exception {
        LockClient billing = opened(ClientConfig.DEFAULT.withNamespace("billing"));
        try (Lease lease = billing.acquire("report")) {
            assertThat(lease.key()).isEqualTo(billing.key("report")).isEqualTo(LockKey.of("billing", "report"));
            assertThat(billing.tryAcquire("report").isDone()).isFalse();
            assertThat(billing.tryAcquire("report", o -> {}).toOptional()).isEmpty();
            assertThat(billing.tryAcquire(billing.key("report"), o -> {}).isDone())
                    .isFalse();
            assertThat(Await.get(billing.acquireAsync("report")).isDone()).isFalse();
        }
    }

    // ---- the end

    @Test
    @DisplayName("a client that drains grants nothing more, lets work end, and releases what is left")
    void drain() throws Exception {
        Lease ends = client.acquire(KEY);
        Lease stays = client.acquire("stays", o -> o.lease(Duration.ofHours(1)));
        CompletableFuture<Void> closed = CompletableFuture.runAsync(() -> client.close(Duration.ofSeconds(3)));
        Await.until("nothing is granted any more", () -> {
            try {
                client.tryAcquire("another").ifDone(Lease::close);
                return false;
            } catch (ClientClosedException e) {
                return true;
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        assertThat(ends.isValid()).isTrue();
        assertThat(ends.release()).isTrue();
        Await.get(closed);
        assertThat(stays.lostFor()).contains(LostReason.CLOSED);
        assertThat(other.inspect().get(LockKey.of("default", "stays")).holders())
                .isEmpty();
    }

    // ---- listening

    @Test
    @DisplayName(
            "a listener hears of grants, refusals, losses, releases and failures, and its own failures change nothing")
    void listener() throws Exception {
        List<String> heard = new CopyOnWriteArrayList<>();
        LockClient told = opened(ClientConfig.DEFAULT.withListener(listener((what, key, more) -> {
            heard.add(what + " " + key.name() + " " + more);
            if (what.equals("acquired")) {
                throw new IllegalStateException("a defect of the listener");
            }
        })));
        try (Lease lease = told.acquire(KEY)) {
            assertThat(told.tryAcquire(KEY).isDone()).isFalse();
            assertThat(lease.isValid()).isTrue();
        }
        Lease lost = told.acquire("lost", o -> o.lease(Duration.ofSeconds(2)));
        other.inspect().forceUnlock(lost.key(), lost.token(), "test");
        Await.until("the loss is heard", () -> heard.contains("lost lost FORCED"));
        told.close();
        ends(() -> told.acquireAsync(KEY).get());
        assertThat(heard)
                .containsExactly(
                        "acquired report true",
                        "busy report true",
                        "released report true",
                        "acquired lost true",
                        "lost lost FORCED",
                        "failed report ClientClosedException");
    }

    private interface Hearing {
        /** It heard what happened to a lock, and more about it. */
        void hears(String what, LockKey key, Object more);
    }

    private static LockListener listener(Hearing heard) {
        return new LockListener() {
            @Override
            public void acquired(Lease lease, Duration waited) {
                heard.hears("acquired", lease.key(), !waited.isNegative());
            }

            @Override
            public void busy(LockKey key, Duration waited) {
                heard.hears("busy", key, !waited.isNegative());
            }

            @Override
            public void failed(LockKey key, Throwable failure) {
                heard.hears("failed", key, failure.getClass().getSimpleName());
            }

            @Override
            public void lost(LockKey key, LostReason reason) {
                heard.hears("lost", key, reason);
            }

            @Override
            public void released(LockKey key, Duration held) {
                heard.hears("released", key, held.compareTo(Duration.ofMinutes(1)) < 0);
            }
        };
    }
}
