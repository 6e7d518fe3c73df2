package dev.holdfast.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Attempt;
import dev.holdfast.ClientConfig;
import dev.holdfast.Holder;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.MemoryDocuments;
import dev.holdfast.documents.keys.Sha256;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.spi.time.LocalTime;
import dev.holdfast.state.store.Attributes;
import dev.holdfast.state.store.StateNames;
import dev.holdfast.state.versions.ClaimOutcome;
import dev.holdfast.state.versions.SaveOutcome;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StackPage;
import dev.holdfast.state.versions.StateConfig;
import dev.holdfast.state.versions.StateVersion;
import dev.holdfast.testkit.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("many at once, on real threads")
final class ConcurrentStateTest {
    private static final Stack SHOP = new Stack("shop", "production");
    private static final int WORKERS = 8;

    private final MemoryStore store = MemoryStore.shared(LocalTime.SYSTEM);
    private final DocumentStore documents = new MemoryDocuments();

    private static void all(Callable<Void> work) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(WORKERS);
        try {
            List<Future<Void>> done = new ArrayList<>();
            for (int i = 0; i < WORKERS; i++) {
                done.add(pool.submit(work));
            }
            for (Future<Void> one : done) {
                one.get(2, TimeUnit.MINUTES);
            }
        } finally {
            pool.shutdownNow();
        }
    }

    @Test
    @DisplayName("each increments the serial it loaded under the lock, and none is lost")
    void increments() throws Exception {
        int rounds = 25;
        all(() -> {
            try (LockClient locks = LockClient.on(shared(), ClientConfig.DEFAULT)) {
                StateManager state = StateManager.on(locks, documents, StateConfig.DEFAULT);
                for (int i = 0; i < rounds; i++) {
                    try (Lease lease = locks.acquire(SHOP.lock(), o -> o.waitUpTo(Duration.ofMinutes(1)))) {
                        assertThat(state.claim(lease)).isInstanceOf(ClaimOutcome.Claimed.class);
                        long serial = state.load(SHOP)
                                .map(it -> it.version().serial())
                                .orElse(0L);
                        assertThat(state.save(lease, StateContract.doc(serial + 1, "v"), StateContract.ALICE))
                                .isInstanceOf(SaveOutcome.Saved.class);
                    }
                }
            }
            return null;
        });
        try (LockClient locks = LockClient.on(shared(), ClientConfig.DEFAULT)) {
            StateManager state = StateManager.on(locks, documents, StateConfig.DEFAULT);
            List<StateVersion> history = state.history(SHOP, 1_000).versions();
            assertThat(history).hasSize(WORKERS * rounds);
            for (int i = 0; i < history.size(); i++) {
                assertThat(history.get(i).serial()).isEqualTo(history.size() - i);
            }
        }
    }

    @Test
    @DisplayName("with one lease save at the same time: every acknowledged version is in the history")
    void oneLease() throws Exception {
        try (LockClient locks = LockClient.on(shared(), ClientConfig.DEFAULT);
                Lease lease = locks.acquire(SHOP.lock(), o -> {})) {
            StateManager state = StateManager.on(locks, documents, StateConfig.DEFAULT);
            state.claim(lease);
            AtomicInteger serial = new AtomicInteger();
            AtomicInteger saved = new AtomicInteger();
            all(() -> {
                for (int i = 0; i < 10; i++) {
                    try {
                        state.save(lease, StateContract.doc(serial.incrementAndGet(), "v"), StateContract.ALICE);
                        saved.incrementAndGet();
                    } catch (dev.holdfast.spi.StoreUnavailableException e) {
                        // crowded out by the others: told so, and not saved
                    }
                }
                return null;
            });
            assertThat(state.history(SHOP, 1_000).versions()).hasSize(saved.get());
            assertThat(saved.get()).isPositive();
        }
    }

    @Test
    @DisplayName("are forced away all the time: after a claim nobody earlier saves any more")
    void forcing() throws Exception {
        AtomicInteger serial = new AtomicInteger();
        all(() -> {
            try (LockClient locks = LockClient.on(shared(), ClientConfig.DEFAULT)) {
                StateManager state = StateManager.on(locks, documents, StateConfig.DEFAULT);
                for (int i = 0; i < 30; i++) {
                    for (Holder holder : locks.inspect().get(SHOP.lock()).holders()) {
                        locks.inspect().forceUnlock(SHOP.lock(), holder.token(), "test");
                    }
                    Attempt<Lease> taken = locks.tryAcquire(SHOP.lock(), o -> {});
                    if (taken instanceof Attempt.Done<Lease> done) {
                        work(state, done.value(), serial);
                    }
                }
            }
            return null;
        });
        try (LockClient locks = LockClient.on(shared(), ClientConfig.DEFAULT)) {
            StateManager state = StateManager.on(locks, documents, StateConfig.DEFAULT);
            List<StateVersion> history = state.history(SHOP, 1_000).versions();
            // The token of what was saved never falls: an earlier holder's save never follows a later one's.
            for (int i = 1; i < history.size(); i++) {
                assertThat(history.get(i).token())
                        .isLessThanOrEqualTo(history.get(i - 1).token());
            }
            assertThat(state.verify(SHOP).isGood()).isTrue();
        }
    }

    /** Between its claim and each of its saves nobody earlier may have saved: what it saw is what it replaces. */
    private static void work(StateManager state, Lease lease, AtomicInteger serial) {
        if (!(state.claim(lease) instanceof ClaimOutcome.Claimed)) {
            return;
        }
        for (int k = 0; k < 3; k++) {
            Optional<StateVersion> before = state.current(SHOP);
            SaveOutcome outcome =
                    state.save(lease, StateContract.doc(serial.incrementAndGet(), "v"), StateContract.ALICE);
            if (outcome instanceof SaveOutcome.Saved saved) {
                StateVersion under = state.history(SHOP, 1_000).versions().stream()
                        .filter(it -> it.version().compareTo(saved.version().version()) < 0)
                        .findFirst()
                        .orElse(saved.version());
                before.ifPresent(it -> assertThat(under).isEqualTo(it));
            }
        }
    }

    @Test
    @DisplayName("list 10 000 stacks in a second or little more")
    void manyStacks() throws Exception {
        try (LockClient locks = LockClient.on(shared(), ClientConfig.DEFAULT)) {
            StateManager state = StateManager.on(locks, documents, StateConfig.DEFAULT);
            for (int i = 0; i < 10_000; i++) {
                StateVersion version = new StateVersion(
                        new Stack("s" + i, "prod"),
                        "20261116T110512.123456Z-k3f9ab12",
                        1,
                        Optional.empty(),
                        java.time.Instant.EPOCH,
                        "a",
                        2,
                        Sha256.of(StateContract.bytes("{}")),
                        "",
                        Optional.empty(),
                        dev.holdfast.model.Token.NONE);
                documents.write(dev.holdfast.documents.Change.put(
                        StateNames.current(version.stack()),
                        dev.holdfast.documents.Condition.absent(),
                        StateContract.bytes("{}"),
                        Attributes.of(version, "w", "l")));
            }
            long start = System.nanoTime();
            int seen = 0;
            Optional<String> cursor = Optional.empty();
            do {
                StackPage page = state.list(1_000, cursor);
                seen += page.stacks().size();
                cursor = page.next();
            } while (cursor.isPresent());
            assertThat(seen).isEqualTo(10_000);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Await.LIMIT);
        }
    }

    /** A view of the store that is not closed with its client. */
    private dev.holdfast.spi.RecordStore shared() {
        return new KeptOpen(store);
    }
}
