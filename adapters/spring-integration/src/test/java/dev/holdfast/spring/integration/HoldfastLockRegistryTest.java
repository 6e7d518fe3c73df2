package dev.holdfast.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.LeaseLostException;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LostReason;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.test.FakeLocks;
import dev.holdfast.test.FakeLocksExtension;
import dev.holdfast.test.MayLeaveLocksHeld;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@DisplayName("A lock of the registry")
@ExtendWith(FakeLocksExtension.class)
@SuppressWarnings("LockNotBeforeTry") // the extension sees whether all are released
class HoldfastLockRegistryTest {
    private static final LockKey KEY = LockKey.of("orders", "4711");

    private HoldfastLockRegistry registry;
    private HoldfastLockRegistry elsewhere;

    @BeforeEach
    void start(FakeLocks locks) {
        registry = new HoldfastLockRegistry(locks.client(), "orders");
        elsewhere = new HoldfastLockRegistry(locks.client("elsewhere"), "orders");
    }

    @Test
    @DisplayName("is taken again by the thread that holds it, and free when it was unlocked as often")
    void reentrant(FakeLocks locks) throws Exception {
        Lock lock = registry.obtain(4711);
        lock.lock();
        lock.lockInterruptibly();
        assertThat(registry.obtain("4711").tryLock())
                .as("the same lock by its text")
                .isTrue();
        assertThat(lock.tryLock(1, TimeUnit.SECONDS)).isTrue();
        for (int i = 0; i < 4; i++) {
            assertThat(locks.isHeld(KEY)).isTrue();
            lock.unlock();
        }
        assertThat(locks.isHeld(KEY)).isFalse();
        assertThatThrownBy(lock::unlock)
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContaining("does not hold lock");
    }

    @Test
    @DisplayName("excludes other threads of the process and other processes, and only its own thread unlocks it")
    void excludes(FakeLocks locks) throws Exception {
        Lock lock = registry.obtain("4711");
        lock.lock();
        assertThat(elsewhere.obtain("4711").tryLock()).isFalse();
        assertThat(elsewhere.obtain("4711").tryLock(3, TimeUnit.SECONDS)).isFalse();
        assertThat(onAnotherThread(lock::tryLock)).isFalse();
        assertThatThrownBy(() -> onAnotherThread(() -> {
                    lock.unlock();
                    return true;
                }))
                .hasCauseInstanceOf(IllegalMonitorStateException.class);
        lock.unlock();
        assertThat(elsewhere.obtain("4711").tryLock()).isTrue();
        assertThat(lock.tryLock()).isFalse();
        elsewhere.obtain("4711").unlock();
    }

    private static boolean onAnotherThread(Callable<Boolean> work) throws Exception {
        FutureTask<Boolean> task = new FutureTask<>(work);
        new Thread(task).start();
        return task.get(60, TimeUnit.SECONDS);
    }

    @Test
    @DisplayName("waits for its turn")
    void waits(FakeLocks locks) {
        registry.obtain("4711").lock();
        CompletableFuture<Boolean> other = CompletableFuture.supplyAsync(() -> {
            elsewhere.obtain("4711").lock();
            elsewhere.obtain("4711").unlock();
            return true;
        });
        locks.awaitWaiting(KEY, 1);
        assertThat(other).isNotDone();
        registry.obtain("4711").unlock();
        assertThat(other).succeedsWithin(Duration.ofSeconds(60)).isEqualTo(true);
    }

    @Test
    @DisplayName("is renewed by itself, longer than its lease, and on request")
    void renewed(FakeLocks locks) {
        registry.obtain("4711").lock();
        locks.advance(Duration.ofMinutes(10));
        assertThat(elsewhere.obtain("4711").tryLock()).isFalse();
        registry.renewLock("4711");
        registry.renewLock("4711", Duration.ofMinutes(5));
        assertThat(locks.holder(KEY).orElseThrow().expiresAt().orElseThrow())
                .isAfter(locks.now().plus(Duration.ofMinutes(4)));
        registry.obtain("4711").unlock();
        assertThatThrownBy(() -> registry.renewLock("4711"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("does not hold it");
    }

    @Test
    @DisplayName("is free as long after the death of its process as the registry was told, and after 30 s unless told")
    void leases(FakeLocks locks) {
        HoldfastLockRegistry brief = new HoldfastLockRegistry(locks.client(), "orders", Duration.ofSeconds(7));
        for (HoldfastLockRegistry one : List.of(registry, brief)) {
            one.obtain("4711").lock();
            assertThat(locks.holder(KEY).orElseThrow().expiresAt().orElseThrow())
                    .isEqualTo(locks.now().plusSeconds(one == brief ? 7 : 30));
            one.obtain("4711").unlock();
        }
        assertThatThrownBy(() -> new HoldfastLockRegistry(locks.client(), "orders", Duration.ofDays(2)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @MayLeaveLocksHeld
    @DisplayName("that was lost tells whoever takes it again, renews it or unlocks it")
    void lost(FakeLocks locks) {
        Lock lock = registry.obtain("4711");
        lock.lock();
        locks.lose(KEY, LostReason.FORCED);
        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(lock::tryLock);
        assertThatThrownBy(() -> registry.renewLock("4711"))
                .isInstanceOf(IllegalStateException.class)
                .hasCauseInstanceOf(LeaseLostException.class);
        assertThatThrownBy(lock::unlock)
                .isInstanceOf(ConcurrentModificationException.class)
                .hasCauseInstanceOf(LeaseLostException.class);
        assertThat(lock.tryLock()).as("anew").isTrue();
        lock.unlock();
    }

    @Test
    @DisplayName("is neither granted nor refused while the store is away")
    void outage(FakeLocks locks) {
        Lock lock = registry.obtain("4711");
        try (FakeLocks.Outage outage = locks.outage()) {
            assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(lock::tryLock);
            assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(lock::lock);
            assertThatExceptionOfType(StoreUnavailableException.class)
                    .isThrownBy(() -> lock.tryLock(1, TimeUnit.SECONDS));
        }
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();
    }

    @Test
    @DisplayName(
            "has the name of its key, or a hash where that is no name; nothing is kept for locks that nobody holds")
    void names(FakeLocks locks) {
        LockKey other = LockKey.of("other", "x").at("part");
        registry.obtain(other).lock();
        assertThat(locks.isHeld(other)).isTrue();
        registry.obtain(other).unlock();
        String odd = "line\nline" + "x".repeat(1_000);
        registry.obtain(odd).lock();
        assertThat(elsewhere.obtain(odd).tryLock()).isFalse();
        assertThat(elsewhere.obtain(odd + "y").tryLock()).isTrue();
        elsewhere.obtain(odd + "y").unlock();
        registry.expireUnusedOlderThan(0);
        registry.obtain(odd).unlock();
        assertThatThrownBy(() -> registry.obtain("a").newCondition()).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> new HoldfastLockRegistry(locks.client(), "no namespace"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName("is waited for as long as can be said, in any unit")
    void longestWait() throws Exception {
        Lock lock = registry.obtain("4711");
        for (TimeUnit unit : TimeUnit.values()) {
            assertThat(lock.tryLock(Long.MAX_VALUE, unit)).isTrue();
            lock.unlock();
        }
    }

    @Test
    @DisplayName("is not taken by a thread that was interrupted before, also if it holds it already")
    void interruptedBefore(FakeLocks locks) {
        Lock lock = registry.obtain("4711");
        lock.lock();
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(InterruptedException.class).isThrownBy(lock::lockInterruptibly);
        lock.unlock();
        assertThat(locks.isHeld(KEY)).isFalse();
    }

    @Test
    @DisplayName("is refused to a thread that would wait for itself, as it holds a part of it")
    void waitsForItself() {
        LockKey part = LockKey.of("orders", "x").at("part");
        registry.obtain(part).lock();
        assertThatThrownBy(() -> registry.obtain("x").lock())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("would wait for itself");
        registry.obtain(part).unlock();
    }

    @Test
    @DisplayName("is given up by a thread that is interrupted while it waits")
    void interrupted(FakeLocks locks) throws Exception {
        registry.obtain("4711").lock();
        FutureTask<String> waits = new FutureTask<>(() -> {
            try {
                elsewhere.obtain("4711").lockInterruptibly();
                return "locked";
            } catch (InterruptedException e) {
                return "interrupted";
            }
        });
        Thread thread = new Thread(waits);
        thread.start();
        locks.awaitWaiting(KEY, 1);
        thread.interrupt();
        assertThat(waits.get(60, TimeUnit.SECONDS)).isEqualTo("interrupted");
        registry.obtain("4711").unlock();
        assertThat(locks.isHeld(KEY)).isFalse();
    }
}
