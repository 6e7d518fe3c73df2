package dev.holdfast.shedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.holdfast.ClientConfig;
import dev.holdfast.Holder;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.LockListener;
import dev.holdfast.model.EventType;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LostReason;
import dev.holdfast.spi.EventLog;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.test.FakeLocks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.support.KeepAliveLockProvider;
import net.javacrumbs.shedlock.support.LockException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What the published tests of ShedLock do not look at. Time is moved by hand. */
class HoldfastLockProviderTest {
    private static final String NAME = "report";
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration TEN = Duration.ofMinutes(10);

    private final List<String> heard = new ArrayList<>();
    private final FakeLocks locks =
            new FakeLocks(ClientConfig.DEFAULT.withOwner("worker-1").withListener(new LockListener() {
                @Override
                public void acquired(Lease lease, Duration waited) {
                    heard.add("acquired");
                }

                @Override
                public void lost(LockKey key, LostReason reason) {
                    heard.add("lost " + reason);
                }

                @Override
                public void released(LockKey key, Duration held) {
                    heard.add("released");
                }
            }));
    private final HoldfastLockProvider provider = new HoldfastLockProvider(locks.client());
    private final HoldfastLockProvider other = new HoldfastLockProvider(locks.client("worker-2"));

    @AfterEach
    void close() {
        locks.close();
    }

    private static LockConfiguration asked(Duration atMost, Duration atLeast) {
        return new LockConfiguration(ClockProvider.now(), NAME, atMost, atLeast);
    }

    private SimpleLock taken(Duration atMost, Duration atLeast) {
        return provider.lock(asked(atMost, atLeast)).orElseThrow();
    }

    private boolean isFree() {
        Optional<SimpleLock> lock = other.lock(asked(TEN, Duration.ZERO));
        lock.ifPresent(SimpleLock::unlock);
        return lock.isPresent();
    }

    // ---- how long

    @Test
    @DisplayName("lockAtMostFor is the lease: not renewed, it ends then and not before")
    void atMost() {
        taken(TEN, Duration.ZERO);
        locks.advance(TEN.minusSeconds(1));
        assertThat(isFree()).isFalse();
        locks.advance(Duration.ofSeconds(2));
        assertThat(isFree()).isTrue();
        assertThat(heard).startsWith("acquired", "lost EXPIRED");
    }

    @Test
    @DisplayName("an unlock after the lock has ended is logged, since another may have worked at the same time")
    void lateUnlock() {
        Logger log = (Logger) LoggerFactory.getLogger(HoldfastLockProvider.class);
        ListAppender<ILoggingEvent> seen = new ListAppender<>();
        seen.start();
        log.addAppender(seen);
        try {
            SimpleLock lock = taken(TEN, Duration.ZERO);
            locks.advance(TEN.plusSeconds(2));
            lock.unlock();
        } finally {
            log.detachAppender(seen);
        }
        assertThat(seen.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .singleElement()
                .asString()
                .contains("was not held any more when it was unlocked", "Set a longer lockAtMostFor");
    }

    @Test
    @DisplayName("an unlock before lockAtLeastFor has passed keeps the lock until then, and not until lockAtMostFor")
    void atLeast() {
        SimpleLock lock = taken(TEN, MINUTE);
        locks.advance(Duration.ofSeconds(20));
        lock.unlock();
        assertThat(isFree()).isFalse();
        locks.advance(Duration.ofSeconds(39));
        assertThat(isFree()).isFalse();
        locks.advance(Duration.ofSeconds(2));
        assertThat(isFree()).isTrue();
    }

    @Test
    @DisplayName("lockAtLeastFor holds also if the process ends after the unlock")
    void atLeastAfterTheEnd() {
        taken(TEN, MINUTE).unlock();
        locks.client().close();
        locks.advance(MINUTE.minusSeconds(1));
        assertThat(isFree()).isFalse();
        locks.advance(Duration.ofSeconds(2));
        assertThat(isFree()).isTrue();
    }

    @Test
    @DisplayName("an unlock after lockAtLeastFor frees the lock at once")
    void afterAtLeast() {
        SimpleLock lock = taken(TEN, MINUTE);
        locks.advance(MINUTE.plusSeconds(1));
        lock.unlock();
        assertThat(isFree()).isTrue();
    }

    @Test
    @DisplayName("what may last longer than a lease is refused, and the message says what to do")
    void tooLong() {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> taken(Duration.ofHours(25), Duration.ZERO))
                .withMessageContaining("'report'")
                .withMessageContaining("PT24H")
                .withMessageContaining("KeepAliveLockProvider");
        SimpleLock lock = taken(Duration.ofHours(24), Duration.ZERO);
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> lock.extend(Duration.ofHours(25), Duration.ZERO));
        lock.unlock();
        assertThat(isFree()).isTrue();
    }

    // ---- extend

    @Test
    @DisplayName("an extended lock lasts as long as asked for from then, and its lockAtLeastFor counts from then too")
    void extended() {
        SimpleLock lock = taken(TEN, Duration.ofMinutes(9));
        locks.advance(Duration.ofMinutes(8));
        SimpleLock longer = lock.extend(TEN, MINUTE).orElseThrow();
        locks.advance(Duration.ofSeconds(30));
        longer.unlock();
        locks.advance(Duration.ofSeconds(29));
        assertThat(isFree()).isFalse();
        locks.advance(Duration.ofSeconds(2));
        assertThat(isFree()).isTrue();
    }

    @Test
    @DisplayName("a lock that is extended without lockAtLeastFor is free as soon as it is unlocked")
    void extendedWithoutMinimum() {
        SimpleLock longer =
                taken(TEN, Duration.ofMinutes(9)).extend(TEN, Duration.ZERO).orElseThrow();
        longer.unlock();
        assertThat(isFree()).isTrue();
    }

    @Test
    @DisplayName("an extended lock that is never unlocked ends after its new lockAtMostFor")
    void extendedToItsEnd() {
        SimpleLock lock = taken(TEN, Duration.ZERO);
        locks.advance(Duration.ofMinutes(9));
        assertThat(lock.extend(Duration.ofMinutes(5), Duration.ZERO)).isPresent();
        locks.advance(Duration.ofMinutes(4));
        assertThat(isFree()).isFalse();
        locks.advance(Duration.ofSeconds(61));
        assertThat(isFree()).isTrue();
    }

    @Test
    @DisplayName("extending never shortens a lock")
    void neverShorter() {
        assertThat(taken(TEN, Duration.ZERO).extend(MINUTE, Duration.ZERO)).isPresent();
        locks.advance(Duration.ofMinutes(9));
        assertThat(isFree()).isFalse();
    }

    @Test
    @DisplayName(
            "a lock that has ended is not extended: nobody's after lockAtMostFor, nor by force, nor somebody else's")
    void lostIsNotExtended() {
        SimpleLock expired = taken(MINUTE, Duration.ZERO);
        locks.advance(MINUTE);
        assertThat(expired.extend(TEN, Duration.ZERO)).isEmpty();
        locks.advance(Duration.ofSeconds(1));
        assertThat(isFree()).isTrue();

        SimpleLock forced = taken(TEN, Duration.ZERO);
        force();
        SimpleLock theirs = other.lock(asked(TEN, Duration.ZERO)).orElseThrow();
        assertThat(forced.extend(TEN, Duration.ZERO)).isEmpty();
        theirs.unlock();
        assertThat(isFree()).isTrue();
    }

    @Test
    @DisplayName("extending is neither a new acquisition nor a loss to those who count")
    void extendingIsQuiet() {
        SimpleLock lock = taken(TEN, Duration.ZERO);
        for (int i = 0; i < 5; i++) {
            locks.advance(Duration.ofMinutes(9));
            lock = lock.extend(TEN, Duration.ZERO).orElseThrow();
        }
        locks.advance(Duration.ofMinutes(9));
        lock.unlock();
        assertThat(heard).containsExactly("acquired", "released");
    }

    @Test
    @DisplayName("ShedLock's KeepAliveLockProvider keeps a lock for as long as the work takes")
    void keptAlive() {
        Extending beat = new Extending();
        LockProvider keeping = new KeepAliveLockProvider(provider, beat);
        SimpleLock lock = keeping.lock(asked(TEN, Duration.ZERO)).orElseThrow();
        for (int i = 0; i < 20; i++) {
            locks.advance(Duration.ofMinutes(5));
            beat.extend();
            assertThat(isFree()).isFalse();
        }
        lock.unlock();
        assertThat(isFree()).isTrue();
        beat.shutdownNow();
    }

    /** Extends when the test says so. */
    private static final class Extending extends ScheduledThreadPoolExecutor {
        private Runnable task = () -> {};

        Extending() {
            super(1);
        }

        void extend() {
            task.run();
        }

        @Override
        public ScheduledFuture<?> scheduleAtFixedRate(Runnable command, long delay, long period, TimeUnit unit) {
            assertThat(unit.toMinutes(period)).isEqualTo(5);
            task = command;
            return schedule(() -> {}, 1, TimeUnit.DAYS);
        }
    }

    // ---- failures

    @Test
    @DisplayName("a store that fails is an exception, never a lock that is busy or lost")
    void storeAway() {
        SimpleLock held = taken(TEN, Duration.ZERO);
        try (FakeLocks.Outage outage = locks.outage()) {
            assertThatExceptionOfType(LockException.class)
                    .isThrownBy(() -> other.lock(asked(TEN, Duration.ZERO)))
                    .withMessageContaining("report")
                    .withCauseInstanceOf(StoreUnavailableException.class);
            assertThatExceptionOfType(LockException.class)
                    .isThrownBy(() -> held.extend(TEN, Duration.ZERO))
                    .withCauseInstanceOf(StoreUnavailableException.class);
            assertThat(outage).isNotNull();
        }
        assertThat(held.extend(TEN, Duration.ZERO))
                .as("it can still be extended")
                .isPresent();
        assertThat(isFree()).isFalse();
    }

    @Test
    @DisplayName("an unlock that fails is told; the lock ends by itself")
    void unlockFails() {
        SimpleLock held = taken(TEN, Duration.ZERO);
        try (FakeLocks.Outage outage = locks.outage()) {
            assertThatExceptionOfType(LockException.class)
                    .isThrownBy(held::unlock)
                    .withCauseInstanceOf(StoreUnavailableException.class);
            assertThat(outage).isNotNull();
        }
        assertThat(isFree()).isFalse();
        locks.advance(TEN.plusSeconds(1));
        assertThat(isFree()).isTrue();
    }

    @Test
    @DisplayName("an extension whose outcome is unknown takes nothing from who holds the lock")
    void unclearExtension() {
        SimpleLock held = taken(TEN, Duration.ZERO);
        try (FakeLocks.Outage outage = locks.unclear()) {
            assertThatExceptionOfType(LockException.class).isThrownBy(() -> held.extend(TEN, Duration.ZERO));
            assertThat(outage).isNotNull();
        }
        locks.advance(Duration.ofMinutes(9));
        assertThat(isFree()).isFalse();
        held.unlock();
        assertThat(isFree()).isTrue();
    }

    @Test
    @DisplayName("after the client is closed, no lock is granted, and that is an exception")
    void closed() {
        locks.client().close();
        assertThatExceptionOfType(LockException.class).isThrownBy(() -> taken(TEN, Duration.ZERO));
    }

    @Test
    @DisplayName(
            "a thread that is interrupted, as at the end of a scheduler, takes, extends and releases locks all the same")
    void interrupted() {
        Thread.currentThread().interrupt();
        try {
            taken(TEN, Duration.ZERO).extend(TEN, Duration.ZERO).orElseThrow().unlock();
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(isFree()).isTrue();
    }

    // ---- what comes with it

    @Test
    @DisplayName("who holds it, what happened, and force: as with every lock of Holdfast")
    void looking() {
        LockClient operator = locks.client("operator");
        LockKey key = operator.key(NAME);
        SimpleLock lock = taken(TEN, Duration.ZERO);
        Holder holder = operator.inspect().get(key).holders().get(0);
        assertThat(holder.owner()).isEqualTo("worker-1");
        force();
        lock.unlock(); // does not throw, and frees nobody else's lock
        List<EventType> happened =
                operator.inspect().history(EventLog.EventQuery.newest(10).of(key.namespace(), NAME)).stream()
                        .map(stored -> stored.event().type())
                        .toList();
        assertThat(happened).containsExactly(EventType.FORCED, EventType.ACQUIRED);
    }

    private void force() {
        LockClient operator = locks.client("operator");
        LockKey key = operator.key(NAME);
        operator.inspect()
                .forceUnlock(key, operator.inspect().get(key).holders().get(0).token(), "test")
                .orThrow();
    }

    @Test
    @DisplayName("locks of another namespace are other locks")
    void namespaces() {
        SimpleLock inBilling =
                provider.inNamespace("billing").lock(asked(TEN, Duration.ZERO)).orElseThrow();
        assertThat(isFree()).isTrue();
        assertThat(locks.isHeld(LockKey.of("billing", NAME))).isTrue();
        assertThat(other.inNamespace("billing").lock(asked(TEN, Duration.ZERO))).isEmpty();
        inBilling.unlock();
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> provider.inNamespace("no spaces"))
                .withMessageContaining("namespace");
    }
}
