package dev.holdfast.shedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.test.FakeLocks;
import java.time.Duration;
import java.util.Optional;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.support.LockException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Two providers, each with locks of its own. */
class RollOverLockProviderTest {
    private static final Duration TEN = Duration.ofMinutes(10);

    private final FakeLocks oldLocks = new FakeLocks();
    private final FakeLocks newLocks = new FakeLocks();
    private final LockProvider old = new HoldfastLockProvider(oldLocks.client());
    private final LockProvider next = new HoldfastLockProvider(newLocks.client());
    private final LockProvider both = new RollOverLockProvider(old, next);

    @AfterEach
    void close() {
        oldLocks.close();
        newLocks.close();
    }

    private static Optional<SimpleLock> lock(LockProvider provider) {
        return provider.lock(new LockConfiguration(ClockProvider.now(), "report", TEN, Duration.ZERO));
    }

    private static boolean isFree(LockProvider provider) {
        Optional<SimpleLock> lock = lock(provider);
        lock.ifPresent(SimpleLock::unlock);
        return lock.isPresent();
    }

    @Test
    @DisplayName("whoever has both excludes whoever has one of them, until it unlocks")
    void excludesBoth() {
        SimpleLock held = lock(both).orElseThrow();
        assertThat(isFree(old)).isFalse();
        assertThat(isFree(next)).isFalse();
        held.unlock();
        assertThat(isFree(old)).isTrue();
        assertThat(isFree(next)).isTrue();
    }

    @Test
    @DisplayName("if either is busy, neither is held")
    void busy() {
        SimpleLock theirs = lock(old).orElseThrow();
        assertThat(lock(both)).isEmpty();
        assertThat(isFree(next)).isTrue();
        theirs.unlock();

        theirs = lock(next).orElseThrow();
        assertThat(lock(both)).isEmpty();
        assertThat(isFree(old)).isTrue();
        theirs.unlock();
        assertThat(isFree(both)).isTrue();
    }

    @Test
    @DisplayName("if the new one fails, that is told and the old one given back")
    void fails() {
        try (FakeLocks.Outage outage = newLocks.outage()) {
            assertThatExceptionOfType(LockException.class).isThrownBy(() -> lock(both));
            assertThat(outage).isNotNull();
        }
        assertThat(isFree(old)).isTrue();
    }

    @Test
    @DisplayName("an unlock that fails at one of them still frees the other")
    void unlockFails() {
        SimpleLock held = lock(both).orElseThrow();
        try (FakeLocks.Outage outage = newLocks.outage()) {
            assertThatExceptionOfType(LockException.class).isThrownBy(held::unlock);
            assertThat(outage).isNotNull();
        }
        assertThat(isFree(old)).isTrue();
        assertThat(isFree(next)).isFalse();
    }

    @Test
    @DisplayName("both are extended; if one of them fails, both can still be extended and unlocked")
    void extended() {
        SimpleLock held = lock(both).orElseThrow();
        try (FakeLocks.Outage outage = newLocks.outage()) {
            assertThatExceptionOfType(LockException.class).isThrownBy(() -> held.extend(TEN, Duration.ZERO));
            assertThat(outage).isNotNull();
        }
        SimpleLock longer = held.extend(TEN.plusMinutes(1), Duration.ZERO).orElseThrow();
        oldLocks.advance(TEN);
        newLocks.advance(TEN);
        assertThat(isFree(old)).isFalse();
        assertThat(isFree(next)).isFalse();
        longer.unlock();
        assertThat(isFree(old)).isTrue();
        assertThat(isFree(next)).isTrue();
    }

    @Test
    @DisplayName("a lock that one of them has lost is not extended, and the other keeps it to its end")
    void lost() {
        SimpleLock held = lock(both).orElseThrow();
        oldLocks.advance(TEN.plusSeconds(1));
        assertThat(held.extend(TEN, Duration.ZERO)).isEmpty();
        assertThat(isFree(next)).isFalse();
        newLocks.advance(TEN.plusSeconds(1));
        assertThat(isFree(next)).isTrue();
    }
}
