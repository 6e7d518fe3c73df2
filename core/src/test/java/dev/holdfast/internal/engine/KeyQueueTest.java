package dev.holdfast.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.internal.engine.judgement.Judgement;
import dev.holdfast.internal.engine.machine.ByHand;
import dev.holdfast.internal.engine.machine.Calling;
import dev.holdfast.internal.rules.LockRules;
import dev.holdfast.internal.rules.ReleaseResult;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Terms;
import dev.holdfast.spi.Page;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.StoreTraits;
import dev.holdfast.spi.Versioned;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import dev.holdfast.spi.time.StoreClock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("the commands for one lock")
class KeyQueueTest {
    private static final RecordKey KEY = new RecordKey("default", "lock");

    private final ByHand machine = new ByHand();
    private final CountingStore store = new CountingStore(MemoryStore.shared(machine.time()));
    private final LockEngine engine =
            new LockEngine(store, machine, EngineConfig.DEFAULT, new LockRules(), new Judgement(), 1);

    @Test
    @DisplayName("who comes to wait right after a hand-over goes along with the next release: one write")
    void goesAlong() {
        handedTo("b");
        ask("d");
        assertThat(store.writes).as("it waits a moment").isZero();
        CompletableFuture<Answer<ReleaseResult>> released = engine.release(KEY, id("b"));
        machine.runHeld();
        assertThat(released.join().result()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(store.writes).isEqualTo(1);
        assertThat(record().hold(id("c"))).isPresent();
        assertThat(record().position(id("d"))).isEqualTo(1);
    }

    @Test
    @DisplayName("it has its place soon, if nobody gives the lock back")
    void soon() {
        handedTo("b");
        ask("d");
        ask("e");
        machine.runHeld();
        assertThat(store.writes).isEqualTo(1);
        assertThat(record().position(id("e"))).isEqualTo(3);
    }

    @Test
    @DisplayName("it has its place at once, if the lock was handed over a while ago")
    void atOnce() {
        handedTo("b");
        machine.runHeld();
        machine.advance(Duration.ofMillis(2));
        ask("d");
        assertThat(record().position(id("d"))).isEqualTo(2);
    }

    /** One of two who wait here has been handed the lock just now; the writes are counted from here. */
    private void handedTo(String next) {
        ask("a");
        ask(next);
        ask("c");
        assertThat(engine.release(KEY, id("a")).join().result()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(record().hold(id(next))).isPresent();
        store.writes = 0;
        machine.hold();
    }

    private void ask(String name) {
        engine.acquire(
                new Request(
                        KEY,
                        id(name),
                        Scope.WHOLE,
                        name,
                        Terms.of(Duration.ofSeconds(30)),
                        Duration.ofMinutes(1),
                        Duration.ZERO),
                Calling.ASYNC);
    }

    private LockRecord record() {
        return engine.read(KEY).join().orElseThrow();
    }

    private static LeaseId id(String name) {
        return new LeaseId("lease-id-" + name);
    }

    /** A store whose writes take the time of a round trip: they are counted, and worth gathering. */
    private static final class CountingStore implements RecordStore {
        private final RecordStore memory;
        private int writes;

        CountingStore(RecordStore memory) {
            this.memory = memory;
        }

        @Override
        public StoreTraits traits() {
            return memory.traits().withBlocking(true);
        }

        @Override
        public StoreClock clock() {
            return memory.clock();
        }

        @Override
        public CompletionStage<Optional<Versioned>> read(RecordKey key) {
            return memory.read(key);
        }

        @Override
        public CompletionStage<List<WriteResult>> write(List<Write> all) {
            writes++;
            return memory.write(all);
        }

        @Override
        public CompletionStage<Page> scan(ScanRequest request) {
            return memory.scan(request);
        }

        @Override
        public void close() {
            memory.close();
        }
    }
}
