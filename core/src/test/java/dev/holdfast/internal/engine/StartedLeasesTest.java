package dev.holdfast.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.internal.engine.judgement.Judgement;
import dev.holdfast.internal.engine.leases.KeptLease;
import dev.holdfast.internal.engine.machine.ByHand;
import dev.holdfast.internal.rules.AcquireResult;
import dev.holdfast.internal.rules.LockRules;
import dev.holdfast.internal.rules.ReleaseResult;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.model.EngineId;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.Mode;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Terms;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.Page;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.StoreTraits;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.Versioned;
import dev.holdfast.spi.Watchable;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import dev.holdfast.spi.time.StoreClock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("a caller who started on an offer")
class StartedLeasesTest {
    private static final RecordKey KEY = new RecordKey("default", "lock");
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration TICK = Duration.ofMillis(10);

    private final ByHand machine = new ByHand();
    private final RecordStore memory = MemoryStore.shared(machine.time());
    private final Line line = new Line();
    private final LockEngine alice = engine(memory, LEASE);
    private LockEngine bob = engine(line, LEASE);

    private LockEngine engine(RecordStore store, Duration operationTimeout) {
        EngineConfig config = EngineConfig.DEFAULT.withOperationTimeout(operationTimeout);
        return new LockEngine(store, machine, config, new LockRules(), new Judgement(), 1);
    }

    // ---- what else is asked by its lease id

    @Test
    @DisplayName("keeps the minimum hold that it asks for before the offer is claimed")
    void newTerms() {
        started();
        line.gate = Optional.of(new CompletableFuture<>());
        CompletableFuture<Void> gate = line.gate.get();
        CompletableFuture<Answer<AcquireResult>> again = bob.acquire(
                        asking("b", LEASE, Duration.ZERO, Duration.ofMinutes(10)))
                .answer();
        machine.advance(TICK.multipliedBy(6)); // its first renewal comes meanwhile
        gate.complete(null);
        assertThat(again.join().result()).isInstanceOf(AcquireResult.Granted.class);
        assertThat(stored("b").terms().minHold()).hasMinutes(10);
    }

    @Test
    @DisplayName("is not followed by another while it relies on the lock, though it asked for less and got no answer")
    void askingForLess() {
        KeptLease lease = started();
        line.losesAnswer = true;
        CompletableFuture<?> less = bob.acquire(asking("b", Duration.ofMillis(100), Duration.ZERO, Duration.ZERO))
                .answer();
        machine.advance(Duration.ofMillis(150));
        assertThat(less).isNotDone();
        Answer<AcquireResult> next = alice.acquire(asking("c", LEASE, Duration.ZERO, Duration.ZERO))
                .answer()
                .join();
        assertThat(lease.isValid()).isTrue();
        assertThat(next.result()).isInstanceOf(AcquireResult.Busy.class);
    }

    @Test
    @DisplayName("does not lose the lock because an answer to its second question got lost")
    void lostAnswer() {
        bob = engine(line, Duration.ofMillis(300));
        KeptLease lease = started();
        line.gate = Optional.of(new CompletableFuture<>());
        CompletableFuture<Void> gate = line.gate.get();
        CompletableFuture<?> other = bob.acquire(asking("x", LEASE, Duration.ofMinutes(1), Duration.ZERO))
                .answer();
        CompletableFuture<?> again = bob.acquire(asking("b", LEASE, Duration.ZERO, Duration.ofMinutes(1)))
                .answer();
        machine.advance(TICK.multipliedBy(6));
        line.losesAnswer = true;
        gate.complete(null); // the question and the first renewal go in one write
        machine.advance(Duration.ofMillis(400));
        assertThat(again).isCompletedExceptionally();
        line.isDown = false;
        for (int i = 0; i < 60; i++) {
            machine.advance(TICK);
        }
        assertThat(lease.isValid()).isTrue();
        assertThat(stored("b").isHeld()).isTrue();
        assertThat(other).isNotDone();
    }

    @Test
    @DisplayName("keeps the lock when another call by the same id goes away")
    void otherCallGoesAway() {
        KeptLease lease = started();
        Acquisition again = bob.acquire(asking("b", LEASE, Duration.ZERO, Duration.ZERO));
        assertThat(again.answer().join().result()).isInstanceOf(AcquireResult.Granted.class);
        again.cancel();
        assertThat(lease.isValid()).isTrue();
        assertThat(stored("b").isHeld()).isTrue();
    }

    // ---- telling it

    @Test
    @DisplayName("has its lease, though it is slow to take it")
    void slow() {
        Acquisition waiting = handedOver();
        machine.advance(Duration.ofSeconds(10)); // no thread for it: long after the offer would have passed
        KeptLease lease = kept(waiting);
        assertThat(lease.isValid()).isTrue();
        assertThat(lease.remaining()).isGreaterThan(Duration.ofSeconds(15));
    }

    @Test
    @DisplayName("and goes away while it is being told leaves nothing behind")
    void goesAway() {
        take("a");
        Acquisition one = bob.acquire(scoped("b1", Scope.of(LockPath.WHOLE, Mode.SHARED)));
        Acquisition other = bob.acquire(scoped("b2", Scope.of(LockPath.WHOLE, Mode.SHARED)));
        CompletableFuture<Void> cancelled = one.answer().thenRun(other::cancel);
        release("a");
        tick(cancelled);
        machine.advance(Duration.ofMillis(300));
        assertThat(other.answer()).isCompletedExceptionally();
        assertThat(record().hold(id("b1"))).isPresent();
        assertThat(record().hold(id("b2"))).isEmpty();
    }

    @Test
    @DisplayName("did so on the present offer, not on word of an older one that was long on its way")
    void lateWord() {
        LateWord late = new LateWord();
        bob = engine(late, LEASE).started();
        Scope x = Scope.of(LockPath.of("x"), Mode.EXCLUSIVE);
        Scope y = Scope.of(LockPath.of("y"), Mode.EXCLUSIVE);
        take("g", x);
        take("h", y);
        Acquisition first = bob.acquire(scoped("a", x));
        late.isDown = true;
        release("g"); // offers x to bob, who does not hear of it
        Versioned word = memory.read(KEY).toCompletableFuture().join().orElseThrow();
        assertThat(word.record().hold(id("a")).map(Hold::phase)).contains(Hold.Phase.OFFERED);
        Acquisition both =
                alice.acquire(scoped("b", new Scope(List.of(LockPath.of("x"), LockPath.of("y")), Mode.EXCLUSIVE)));
        machine.advance(Duration.ofMillis(3_001)); // the offer passes
        assertThat(alice.touch(KEY).join().record().holds()).hasSize(1);
        late.isDown = false;
        Acquisition newcomer = bob.acquire(scoped("c", y));
        for (int i = 0; i < 60 && record().position(id("c")) == 0; i++) {
            machine.advance(TICK);
        }
        assertThat(record().fence()).isEqualTo(word.record().fence());
        late.heard.accept(new Watchable.Hint(KEY, Optional.of(word)));
        release("h");
        assertThat(both.answer()).isDone();
        assertThat(first.answer()).isNotDone();
        assertThat(newcomer.answer()).isNotDone();
    }

    @Test
    @DisplayName("has held the lock when it is done before the claim: its release is one write")
    void released() {
        KeptLease lease = started();
        line.writes = 0;
        CompletableFuture<Answer<ReleaseResult>> done = bob.release(KEY, id("b"));
        assertThat(done.join().result()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(line.writes).isEqualTo(1);
        assertThat(record().holds()).isEmpty();
        machine.advance(TICK.multipliedBy(6));
        assertThat(lease.lostFor()).isPresent();
    }

    // ---- the scene

    private KeptLease started() {
        return kept(handedOver());
    }

    /** Alice had the lock, and bob, who waited, was told that it is his. */
    private Acquisition handedOver() {
        take("a");
        Acquisition waiting = bob.acquire(
                asking("b", LEASE, Duration.ofMinutes(1), Duration.ZERO).forKeeping());
        assertThat(record().position(id("b"))).isEqualTo(1);
        release("a");
        tick(waiting.answer());
        assertThat(stored("b").phase()).isEqualTo(Hold.Phase.OFFERED);
        return waiting;
    }

    private KeptLease kept(Acquisition waiting) {
        Answer<AcquireResult> told = waiting.answer().join();
        assertThat(told.result()).isInstanceOf(AcquireResult.Granted.class);
        return bob.keep(KEY, ((AcquireResult.Granted) told.result()).hold(), told.anchor(), true);
    }

    private void tick(CompletableFuture<?> until) {
        for (int i = 0; i < 2_000 && !until.isDone(); i++) {
            machine.advance(Duration.ofMillis(1));
        }
        assertThat(until).isDone();
    }

    private void take(String name) {
        take(name, Scope.WHOLE);
    }

    private void take(String name, Scope scope) {
        Request request = new Request(KEY, id(name), scope, name, Terms.of(LEASE), Duration.ZERO, Duration.ZERO);
        assertThat(alice.acquire(request).answer().join().result()).isInstanceOf(AcquireResult.Granted.class);
    }

    private void release(String name) {
        assertThat(alice.release(KEY, id(name)).join().result()).isEqualTo(ReleaseResult.RELEASED);
    }

    private static Request asking(String name, Duration lease, Duration wait, Duration minHold) {
        Terms terms = new Terms(lease, Terms.renewal(lease), minHold, Map.of(), "");
        return new Request(KEY, id(name), Scope.WHOLE, name, terms, wait, Duration.ZERO);
    }

    private static Request scoped(String name, Scope scope) {
        return new Request(KEY, id(name), scope, name, Terms.of(LEASE), Duration.ofMinutes(1), Duration.ZERO)
                .forKeeping();
    }

    private static LeaseId id(String name) {
        return new LeaseId("lease-id-" + name);
    }

    private LockRecord record() {
        return memory.read(KEY).toCompletableFuture().join().orElseThrow().record();
    }

    private Hold stored(String name) {
        return record().hold(id(name)).orElseThrow();
    }

    /** Bob's way to the store. */
    private class Line implements RecordStore {
        /** The answer of the next write gets lost, and then nothing goes through any more. */
        boolean losesAnswer;

        boolean isDown;
        int writes;
        /** Holds the next write up. */
        Optional<CompletableFuture<Void>> gate = Optional.empty();

        @Override
        public StoreTraits traits() {
            return memory.traits();
        }

        @Override
        public StoreClock clock() {
            return memory.clock();
        }

        @Override
        public CompletionStage<Optional<Versioned>> read(RecordKey key) {
            return isDown ? down() : memory.read(key);
        }

        @Override
        public CompletionStage<List<WriteResult>> write(List<Write> all) {
            if (isDown) {
                return down();
            }
            writes++;
            if (gate.isPresent()) {
                CompletableFuture<Void> opened = gate.get();
                gate = Optional.empty();
                return opened.thenCompose(ignored -> memory.write(all));
            }
            CompletionStage<List<WriteResult>> written = memory.write(all);
            if (losesAnswer) {
                losesAnswer = false;
                isDown = true;
                return CompletableFuture.failedFuture(new OutcomeUnknownException("lost", null));
            }
            return written;
        }

        private <T> CompletionStage<T> down() {
            return CompletableFuture.failedFuture(new StoreUnavailableException("down", null));
        }

        @Override
        public CompletionStage<Page> scan(ScanRequest request) {
            return memory.scan(request);
        }

        @Override
        public void close() {}
    }

    /** A way on which word of a record arrives when the test says so, and the time is known less well. */
    private final class LateWord extends Line implements Watchable {
        Consumer<Hint> heard = hint -> {};

        @Override
        public Watch watch(EngineId engine, Consumer<Hint> told) {
            heard = told;
            return () -> {};
        }

        @Override
        public StoreClock clock() {
            StoreClock exact = memory.clock();
            return new StoreClock() {
                @Override
                public Optional<Reading> now() {
                    return exact.now()
                            .map(now -> new Reading(
                                    now.earliest().minusMillis(800),
                                    now.latest().plusMillis(1),
                                    now.trustedSince()));
                }

                @Override
                public CompletionStage<Void> measure() {
                    return exact.measure();
                }
            };
        }
    }
}
