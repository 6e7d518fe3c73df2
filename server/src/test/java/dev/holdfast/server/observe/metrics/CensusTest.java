package dev.holdfast.server.observe.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LockClient;
import dev.holdfast.model.LockKey;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class CensusTest {
    private final AtomicLong nanos = new AtomicLong(1_000_000_000_000L);
    private final List<CompletableFuture<Counts>> asked = new CopyOnWriteArrayList<>();
    private final Census census = census(Duration.ZERO);

    /** A count that nobody ends would be given up ten seconds later, with a line in the log of another test. */
    @AfterEach
    void end() {
        asked.forEach(answer -> answer.complete(new Counts(0, 0, 0, true)));
    }

    private Census census(Duration rest) {
        return new Census(
                () -> {
                    CompletableFuture<Counts> answer = new CompletableFuture<>();
                    asked.add(answer);
                    return answer;
                },
                nanos::get,
                rest);
    }

    @Test
    @DisplayName("where a count costs money, it is shown for its time, whatever changes and whoever asks")
    void rests() {
        Census costly = census(Duration.ofMinutes(1));
        costly.refresh();
        asked.get(0).complete(new Counts(4, 0, 0, true));
        costly.changed();
        pass(Duration.ofSeconds(59));
        assertThat(costly.fresh()).isCompleted();
        assertThat(asked).hasSize(1);
        assertThat(costly.value(Counts::active)).isEqualTo(4);
        pass(Duration.ofSeconds(1));
        costly.refresh();
        assertThat(asked).hasSize(2);
        pass(Duration.ofSeconds(61)); // it takes longer than usual
        assertThat(costly.value(Counts::active)).isEqualTo(4);
    }

    @Test
    @DisplayName("many who ask at once get one count")
    void oneAtATime() {
        CompletableFuture<Void> first = census.fresh();
        CompletableFuture<Void> second = census.fresh();

        assertThat(asked).hasSize(1);
        asked.get(0).complete(new Counts(4, 0, 0, true));

        assertThat(first).isCompleted();
        assertThat(second).isCompleted();
        assertThat(asked).hasSize(1);
        assertThat(census.value(Counts::active)).isEqualTo(4);
    }

    @Test
    @DisplayName("who asks while a count runs that began before the change gets another count, but not at once")
    void changeDuringCount() {
        census.refresh();
        pass(Duration.ofMillis(1));
        census.changed();
        CompletableFuture<Void> second = census.fresh();
        asked.get(0).complete(new Counts(0, 0, 0, true));

        // Counting took a millisecond, so the next may begin five after the first began.
        assertThat(second).isNotCompleted();
        assertThat(asked).hasSize(1);
        pass(Duration.ofMillis(6));
        awaitAsked(2);
        asked.get(1).complete(new Counts(1, 0, 0, true));
        assertThat(second).succeedsWithin(Duration.ofSeconds(5));
        assertThat(census.value(Counts::active)).isEqualTo(1);
    }

    @Test
    @DisplayName("nothing changed here: a second is fresh enough, not more")
    void ages() {
        census.refresh();
        asked.get(0).complete(new Counts(1, 0, 0, true));

        pass(Duration.ofMillis(900));
        census.refresh();
        assertThat(asked).hasSize(1);

        pass(Duration.ofMillis(200));
        census.refresh();
        assertThat(asked).hasSize(2);
    }

    @Test
    @DisplayName("a count that fails leaves the last one for a minute, then the number is unknown, not zero")
    void failureIsNotZero() {
        assertThat(census.value(Counts::active)).isNaN();
        census.refresh();
        asked.get(0).complete(new Counts(9, 0, 0, true));
        pass(Duration.ofSeconds(30));
        CompletableFuture<Void> failing = census.fresh();
        asked.get(1).completeExceptionally(new IllegalStateException("the store is away"));

        assertThat(failing).isCompleted();
        assertThat(census.value(Counts::active)).isEqualTo(9);
        assertThat(census.age()).isEqualTo(30);
        pass(Duration.ofSeconds(31));
        assertThat(census.value(Counts::active)).isNaN();
    }

    @Test
    @DisplayName("locks of a real store are counted: holds and waiters, over several pages")
    void countsAStore() throws InterruptedException {
        try (LockClient locks = LockClient.connect("memory:")) {
            for (int i = 0; i < 1_100; i++) {
                locks.acquire("lock-" + i);
            }
            var waiting = locks.acquireAsync(
                    LockKey.of("default", "lock-3"), options -> options.waitUpTo(Duration.ofMinutes(1)));
            Counts counts = await(locks);

            assertThat(counts).isEqualTo(new Counts(1_100, 1, 0, true));
            waiting.toCompletableFuture().cancel(true);
        }
    }

    /** The waiter's place is stored a moment after it is asked for. */
    private static Counts await(LockClient locks) {
        BusyLocks busy = new BusyLocks(locks.inspect());
        Counts counts = busy.get().toCompletableFuture().join();
        for (long end = System.nanoTime() + 5_000_000_000L; counts.waiters() == 0 && System.nanoTime() < end; ) {
            counts = busy.get().toCompletableFuture().join();
        }
        return counts;
    }

    private void awaitAsked(int times) {
        for (long end = System.nanoTime() + 5_000_000_000L; asked.size() < times && System.nanoTime() < end; ) {
            Thread.onSpinWait();
        }
        assertThat(asked).hasSize(times);
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }
}
