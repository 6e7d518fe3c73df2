package dev.holdfast.testkit.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.ClientConfig;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockClient;
import dev.holdfast.concurrent.ThreadLock;
import dev.holdfast.concurrent.ThreadLocks;
import dev.holdfast.concurrent.ThreadReadWriteLock;
import dev.holdfast.concurrent.ThreadSemaphore;
import dev.holdfast.failure.ClientClosedException;
import dev.holdfast.internal.parts.DaemonThreads;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.Token;
import dev.holdfast.testkit.Await;
import dev.holdfast.testkit.client.ConnectedContract;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** What users of {@link ThreadLocks} may rely on, whatever their client is connected to. */
@SuppressWarnings("LockNotBeforeTry") // what is left held is what is looked at; each test has a lock of its own
public abstract class ThreadLocksContract extends ConnectedContract {
    /** How often each of four threads takes a turn. */
    private static final int TURNS = 25;

    /** Where nobody notifies the holder, it hears of a force-unlock at its next renewal, after a third of this. */
    private static final Duration HEARD_SOON = Duration.ofSeconds(6);

    /** A lock of its own for each test: one may leave it to end by itself. */
    private final String name = "report-" + UUID.randomUUID();

    private LockClient client = LockClient.connect("memory:");
    private ThreadLocks locks = ThreadLocks.of(client);
    private ThreadLocks other = locks;
    private int counter;

    @BeforeEach
    void open() {
        client.close();
        client = opened(ClientConfig.DEFAULT);
        locks = ThreadLocks.of(client).withReason("contract");
        other = ThreadLocks.of(opened(ClientConfig.DEFAULT.withOwner("other")));
    }

    private static CompletableFuture<Void> elsewhere(Executable task) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        DaemonThreads.start("elsewhere", () -> {
            try {
                task.execute();
                done.complete(null);
            } catch (Throwable e) {
                done.completeExceptionally(e);
            }
        });
        return done;
    }

    private int waiters() {
        return client.inspect().get(client.key(name)).waiters().size();
    }

    private boolean isFree() {
        return client.inspect().get(client.key(name)).isFree();
    }

    private void force() {
        Token token = client.inspect().get(client.key(name)).holders().get(0).token();
        client.inspect().forceUnlock(client.key(name), token, "test").orThrow();
    }

    // ---- a lock

    @Test
    @DisplayName("a lock is for one thread of all processes at a time, and tells its token")
    void excludes() {
        ThreadLock lock = locks.lock(name);
        lock.lock();
        Token first = lock.lease().token();
        assertThat(lock.lease().isValid()).isTrue();
        assertThat(client.inspect().get(lock.key()).holders().get(0).reason()).isEqualTo("contract");
        assertThat(other.lock(name).tryLock()).isFalse();
        assertThat(other.lock(name + "-another").tryLock()).isTrue();
        lock.unlock();
        ThreadLock theirs = other.lock(name);
        assertThat(theirs.tryLock()).isTrue();
        assertThat(theirs.lease().token()).isGreaterThan(first);
        theirs.unlock();
        assertThat(isFree()).isTrue();
    }

    @Test
    @DisplayName("nothing that is done under the lock by turns gets lost")
    void turns() {
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (ThreadLocks one : List.of(locks, locks, other, other)) {
            ThreadLock lock = one.lock(name);
            all.add(elsewhere(() -> {
                for (int i = 0; i < TURNS; i++) {
                    lock.lock();
                    try {
                        int before = counter;
                        Thread.onSpinWait();
                        counter = before + 1;
                    } finally {
                        lock.unlock();
                    }
                }
            }));
        }
        all.forEach(Await::get);
        assertThat(counter).isEqualTo(4 * TURNS);
    }

    @Test
    @DisplayName("the thread that holds it takes it again, by any view of it, and gives it back as often")
    void reentrant() throws Exception {
        ThreadLock lock = locks.lock(name);
        ThreadLock same = locks.withLease(Duration.ofMinutes(1)).lock(client.key(name));
        lock.lock();
        Token token = lock.lease().token();
        same.lockInterruptibly();
        assertThat(lock.tryLock()).isTrue();
        assertThat(lock.tryLock(1, TimeUnit.SECONDS)).isTrue();
        assertThat(same.holdCount()).isEqualTo(4);
        assertThat(same.lease().token()).isEqualTo(token);
        for (int i = 0; i < 3; i++) {
            same.unlock();
            assertThat(lock.isHeldByCurrentThread()).isTrue();
            assertThat(isFree()).isFalse();
        }
        lock.unlock();
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThat(isFree()).isTrue();
    }

    @Test
    @DisplayName("only the thread that has taken it may unlock it or ask for its lease")
    void otherThread() {
        ThreadLock lock = locks.lock(name);
        notMine(lock::unlock);
        notMine(lock::lease);
        lock.lock();
        Await.get(elsewhere(() -> {
            assertThat(lock.isHeldByCurrentThread()).isFalse();
            assertThat(lock.tryLock()).isFalse();
            notMine(lock::unlock);
            notMine(lock::lease);
        }));
        assertThat(lock.lease().isValid()).isTrue();
        lock.unlock();
        notMine(lock::unlock);
    }

    private static void notMine(ThrowingCallable call) {
        assertThatExceptionOfType(IllegalMonitorStateException.class)
                .isThrownBy(call)
                .withMessageContaining("report-");
    }

    // ---- waiting

    @Test
    @DisplayName("who waits gets it when it is unlocked")
    void waits() {
        ThreadLock lock = locks.lock(name);
        lock.lock();
        CompletableFuture<Void> waiting = elsewhere(() -> {
            ThreadLock theirs = other.lock(name);
            assertThat(theirs.tryLock(1, TimeUnit.HOURS)).isTrue();
            theirs.unlock();
        });
        Await.until("it waits", () -> waiters() == 1);
        assertThat(waiting).isNotDone();
        lock.unlock();
        Await.get(waiting);
    }

    @Test
    @DisplayName("a wait that was in vain is told by false, and leaves no place behind")
    void inVain() throws Exception {
        ThreadLock lock = locks.lock(name);
        lock.lock();
        assertThat(other.lock(name).tryLock(20, TimeUnit.MILLISECONDS)).isFalse();
        assertThat(other.lock(name).tryLock(-1, TimeUnit.DAYS)).isFalse();
        assertThat(other.lock(name).isHeldByCurrentThread()).isFalse();
        Await.until("nobody waits", () -> waiters() == 0);
        lock.unlock();
    }

    @Test
    @DisplayName("who waits as long as can be said, in any unit, waits for ever and gets its turn")
    void longestWait() throws Exception {
        ThreadLock lock = locks.lock(name);
        for (TimeUnit unit : TimeUnit.values()) {
            lock.lock();
            FutureTask<Boolean> waiting = new FutureTask<>(() -> {
                boolean taken = other.lock(name).tryLock(Long.MAX_VALUE, unit);
                other.lock(name).unlock();
                return taken;
            });
            new Thread(waiting).start();
            Await.until("it waits", () -> waiters() == 1);
            lock.unlock();
            assertThat(waiting.get(60, TimeUnit.SECONDS)).as("%s", unit).isTrue();
        }
    }

    @Test
    @DisplayName("a thread that is interrupted while it waits leaves the queue")
    void interrupted() throws Exception {
        ThreadLock lock = locks.lock(name);
        lock.lock();
        FutureTask<Boolean> waiting = new FutureTask<>(() -> {
            try {
                other.lock(name).lockInterruptibly();
                return false;
            } catch (InterruptedException e) {
                return !other.lock(name).isHeldByCurrentThread();
            }
        });
        Thread thread = new Thread(waiting);
        thread.start();
        Await.until("it waits", () -> waiters() == 1);
        thread.interrupt();
        assertThat(waiting.get(60, TimeUnit.SECONDS)).isTrue();
        Await.until("nobody waits", () -> waiters() == 0);
        lock.unlock();
    }

    @Test
    @DisplayName("a thread that is interrupted already waits only by lock(), and stays interrupted")
    void interruptedBefore() throws Exception {
        ThreadLock lock = locks.lock(name);
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(InterruptedException.class).isThrownBy(lock::lockInterruptibly);
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> lock.tryLock(1, TimeUnit.SECONDS));
        Thread.currentThread().interrupt();
        lock.lock();
        assertThat(Thread.interrupted()).isTrue();
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(InterruptedException.class).isThrownBy(lock::lockInterruptibly);
        lock.unlock();
        assertThat(isFree()).isTrue();
    }

    // ---- losing it

    @Test
    @DisplayName("a lock that was lost cannot be taken again before it is unlocked, which tells that it was lost")
    void lost() {
        ThreadLock lock = locks.withLease(HEARD_SOON).lock(name);
        lock.lock();
        lock.lock();
        force();
        Await.until("the loss is known", () -> !lock.lease().isValid());
        isLost(lock::lock);
        isLost(lock::tryLock);
        assertThat(lock.holdCount()).isEqualTo(2);
        ThreadLock theirs = other.lock(name);
        assertThat(theirs.tryLock()).isTrue();
        lock.unlock();
        isLost(lock::unlock);
        notMine(lock::unlock);
        assertThat(theirs.lease().isValid()).isTrue();
        assertThat(lock.tryLock()).isFalse();
        theirs.unlock();
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();
    }

    @Test
    @DisplayName("a loss that nobody has heard of yet is told by unlock, with its reason")
    void lostJustNow() {
        ThreadLock lock = locks.lock(name);
        lock.lock();
        force();
        isLost(lock::unlock);
        assertThat(lock.isHeldByCurrentThread()).isFalse();
    }

    private static void isLost(ThrowingCallable call) {
        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(call)
                .satisfies(e -> assertThat(e.reason()).isEqualTo(LostReason.FORCED));
    }

    @Test
    @DisplayName("on a closed client every way to take it says so, and so does unlock")
    void closedClient() {
        ThreadLock lock = locks.lock(name);
        lock.lock();
        client.close();
        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(lock::unlock)
                .satisfies(e -> assertThat(e.reason()).isEqualTo(LostReason.CLOSED));
        assertThatExceptionOfType(ClientClosedException.class).isThrownBy(lock::lock);
        assertThatExceptionOfType(ClientClosedException.class).isThrownBy(lock::lockInterruptibly);
        assertThatExceptionOfType(ClientClosedException.class).isThrownBy(lock::tryLock);
        assertThatExceptionOfType(ClientClosedException.class).isThrownBy(() -> lock.tryLock(1, TimeUnit.SECONDS));
    }

    @Test
    @DisplayName("there are no conditions, and the message says why")
    void conditions() {
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> locks.lock(name).newCondition())
                .withMessageContaining("signal");
    }

    // ---- readers and writers

    @Test
    @DisplayName("any number of readers, or one writer")
    void readersAndWriters() {
        ThreadReadWriteLock mine = locks.readWriteLock(name);
        ThreadReadWriteLock theirs = other.readWriteLock(name);
        mine.readLock().lock();
        assertThat(theirs.readLock().tryLock()).isTrue();
        assertThat(theirs.readLock().tryLock()).isTrue();
        Await.get(elsewhere(() -> {
            assertThat(mine.writeLock().tryLock()).isFalse();
            assertThat(mine.readLock().tryLock()).isTrue();
            mine.readLock().unlock();
        }));
        mine.readLock().unlock();
        theirs.readLock().unlock();
        assertThat(mine.writeLock().tryLock()).isFalse();
        theirs.readLock().unlock();
        assertThat(mine.writeLock().tryLock()).isTrue();
        assertThat(theirs.readLock().tryLock()).isFalse();
        assertThat(other.lock(name).tryLock()).isFalse();
        mine.writeLock().unlock();
        assertThat(isFree()).isTrue();
    }

    @Test
    @DisplayName("a reader that wants to write is told that it would wait for itself, in every way to ask")
    void upgrade() {
        ThreadReadWriteLock mine = locks.readWriteLock(name);
        mine.readLock().lock();
        refused(() -> mine.writeLock().lock(), "read lock");
        refused(() -> mine.writeLock().lockInterruptibly(), "read lock");
        refused(() -> mine.writeLock().tryLock(), "read lock");
        refused(() -> mine.writeLock().tryLock(1, TimeUnit.HOURS), "read lock");
        refused(() -> locks.lock(name).lock(), "read lock");
        assertThat(mine.readLock().lease().isValid()).isTrue();
        mine.readLock().unlock();
        mine.writeLock().lock();
        mine.writeLock().unlock();
        notMine(mine.readLock()::unlock);
        assertThat(isFree()).isTrue();
    }

    @Test
    @DisplayName("a writer goes on as a reader, and nobody comes between")
    void downgrade() {
        ThreadReadWriteLock mine = locks.readWriteLock(name);
        mine.writeLock().lock();
        Token token = mine.writeLock().lease().token();
        mine.readLock().lock();
        mine.writeLock().unlock();
        assertThat(mine.writeLock().isHeldByCurrentThread()).isFalse();
        assertThat(mine.readLock().lease().token()).isEqualTo(token);
        assertThat(other.lock(name).tryLock()).isFalse();
        notMine(mine.writeLock()::unlock);
        mine.readLock().unlock();
        assertThat(isFree()).isTrue();
    }

    private static void refused(ThrowingCallable call, String why) {
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(call)
                .withMessageContaining("wait for itself")
                .withMessageContaining(why);
    }

    @Test
    @DisplayName("who holds a part and wants the whole is told that it would wait for itself, and a neighbour is free")
    void parts() {
        LockKey shop = LockKey.of("deploy", name);
        ThreadLock web = locks.lock(shop.at("web"));
        web.lock();
        refused(() -> locks.lock(shop).lock(), "web");
        refused(() -> locks.lock(shop.at("web/api")).tryLock(), "web");
        refused(() -> locks.semaphore(shop.at("web"), 3).acquire(), "web");
        ThreadLock jobs = locks.lock(shop.at("jobs"));
        assertThat(jobs.tryLock()).isTrue();
        jobs.unlock();
        web.unlock();
    }

    // ---- permits

    @Test
    @DisplayName("there are as many permits as were named, in all processes, and each has a lease of its own")
    void permits() throws Exception {
        ThreadSemaphore mine = locks.semaphore(name, 3);
        ThreadSemaphore theirs = other.semaphore(name, 3);
        mine.acquire();
        mine.acquireUninterruptibly();
        Token second = mine.lease().token();
        assertThat(theirs.tryAcquire()).isTrue();
        assertThat(theirs.tryAcquire()).isFalse();
        assertThat(theirs.tryAcquire(20, TimeUnit.MILLISECONDS)).isFalse();
        assertThat(mine.holdCount()).isEqualTo(2);
        mine.release();
        assertThat(mine.lease().token()).isLessThan(second);
        assertThat(theirs.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
        mine.release();
        theirs.release();
        theirs.release();
        assertThat(isFree()).isTrue();
    }

    @Test
    @DisplayName("a permit is given back by the thread that has it; one that has all would wait for itself")
    void permitsOfThreads() {
        ThreadSemaphore mine = locks.semaphore(name, 2);
        notMine(mine::release);
        assertThat(mine.tryAcquire()).isTrue();
        assertThat(mine.tryAcquire()).isTrue();
        refused(mine::acquire, "2 permits");
        refused(mine::tryAcquire, "2 permits");
        refused(() -> locks.lock(name).lock(), "permit");
        Await.get(elsewhere(() -> {
            notMine(mine::release);
            assertThat(mine.tryAcquire()).isFalse();
        }));
        mine.release();
        Await.get(elsewhere(() -> {
            mine.acquire();
            mine.release();
        }));
        mine.release();
        assertThat(isFree()).isTrue();
    }

    @Test
    @DisplayName("a permit that was lost is told when it is given back")
    void permitLost() {
        ThreadSemaphore mine = locks.semaphore(name, 2);
        assertThat(mine.tryAcquire()).isTrue();
        force();
        isLost(mine::release);
        assertThat(mine.holdCount()).isZero();
    }
}
