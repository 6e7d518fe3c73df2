package dev.holdfast.internal.engine.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.model.LockRecord;
import dev.holdfast.model.RecordKey;
import dev.holdfast.spi.Page;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.StoreTraits;
import dev.holdfast.spi.Versioned;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import dev.holdfast.spi.time.StoreClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Writes that come together")
class WriteBatcherTest {
    private static final int WRITERS = 2;
    private static final int SINGLES = 4;
    private static final int MAX_BATCH = 10;

    private final SlowStore store = new SlowStore();
    private final ByHand machine = new ByHand();
    private final WriteBatcher batcher =
            new WriteBatcher(store, machine, EngineMeter.NONE, new WriteHealth(), WRITERS, SINGLES);
    private int told;

    @AfterEach
    void close() {
        machine.close();
    }

    @Test
    @DisplayName("do not wait behind a call that takes long, though nothing else comes")
    void behindALongCall() {
        WriteBatcher one = new WriteBatcher(store, machine, EngineMeter.NONE, new WriteHealth(), 1, 2);
        submit(one, 2 + 5);
        store.answer();
        assertThat(store.sizes()).as("the lane is busy").containsExactly(1);
        machine.advance(Duration.ofMillis(9));
        assertThat(store.sizes()).as("it may be over any moment").containsExactly(1);
        machine.advance(Duration.ofMillis(2));
        assertThat(store.sizes()).containsExactly(1, 5);
        submit(one, 3);
        assertThat(store.sizes()).as("as many as may be under way").containsExactly(1, 5);
        store.answer(1);
        assertThat(store.sizes()).as("while it takes long").containsExactly(1, 3);
        store.answerAll();
        assertThat(told).isEqualTo(2 + 5 + 3);
    }

    @Test
    @DisplayName("of callers who come again when they are told go together once more")
    void comingAgain() throws InterruptedException {
        BlockingStore blocking = new BlockingStore();
        ThreadMachine threads = new ThreadMachine("test");
        try {
            WriteBatcher one = new WriteBatcher(blocking, threads, EngineMeter.NONE, new WriteHealth(), 1, 1);
            CountDownLatch twice = new CountDownLatch(4 * 2);
            for (int i = 0; i < 4; i++) {
                Write write = Write.create(LockRecord.empty(new RecordKey("n", "lock-" + i)));
                one.submit(
                        write,
                        (result, failure) -> {
                            twice.countDown();
                            one.submit(write, (again, none) -> twice.countDown(), Calling.ASYNC);
                        },
                        Calling.ASYNC);
            }
            blocking.first.countDown();
            assertThat(twice.await(1, TimeUnit.MINUTES)).isTrue();
        } finally {
            threads.close();
        }
        assertThat(blocking.sizes)
                .as("the first; those who waited, and it again; those again")
                .containsExactly(1, 4, 3);
    }

    @Test
    @DisplayName("go each on its own while they are few")
    void few() {
        submit(SINGLES);
        assertThat(store.sizes()).containsExactly(1, 1, 1, 1);
        store.answerAll();
        assertThat(told).isEqualTo(SINGLES);
    }

    @Test
    @DisplayName("are gathered for a few large batches when they are many, and the lanes of the few close")
    void many() {
        submit(SINGLES + 9);
        assertThat(store.sizes())
                .as("no more at once than are fast each on its own")
                .containsExactly(1, 1, 1, 1);
        store.answer();
        store.answer();
        assertThat(store.sizes()).as("others take what waits").containsExactly(1, 1);
        store.answer();
        assertThat(store.sizes()).as("the usual lanes gather").containsExactly(1, 9);
        submit(3);
        assertThat(store.sizes()).as("they wait for the next batch").containsExactly(1, 9);
        store.answerAll();
        assertThat(told).isEqualTo(SINGLES + 9 + 3);
    }

    @Test
    @DisplayName("are again written each on its own when the rush is over")
    void afterwards() {
        submit(50);
        store.answerAll();
        submit(SINGLES);
        assertThat(store.sizes()).containsExactly(1, 1, 1, 1);
        store.answerAll();
        assertThat(told).isEqualTo(50 + SINGLES);
    }

    @Test
    @DisplayName(
            "are never more in one batch than the store takes, and all are told, whatever the order of the answers")
    void bounded() {
        submit(200);
        for (int i = 0; store.isBusy(); i++) {
            assertThat(store.sizes()).allMatch(size -> size <= MAX_BATCH);
            store.answer(i);
        }
        assertThat(told).isEqualTo(200);
    }

    private void submit(int count) {
        submit(batcher, count);
    }

    private void submit(WriteBatcher to, int count) {
        for (int i = 0; i < count; i++) {
            Write write = Write.create(LockRecord.empty(new RecordKey("n", "lock-" + i)));
            to.submit(write, (result, failure) -> told++, Calling.ASYNC);
        }
    }

    /** Its calls return when they are done; the first waits to be let go. */
    private static final class BlockingStore extends UnreadStore {
        private final CountDownLatch first = new CountDownLatch(1);
        private final List<Integer> sizes = new CopyOnWriteArrayList<>();

        @Override
        public CompletionStage<List<WriteResult>> write(List<Write> writes) {
            sizes.add(writes.size());
            try {
                first.await();
            } catch (InterruptedException e) {
                return CompletableFuture.failedStage(e);
            }
            return CompletableFuture.completedStage(Collections.nCopies(writes.size(), WriteResult.Applied.PLAIN));
        }

        @Override
        public StoreTraits traits() {
            return StoreTraits.of("blocking", Duration.ofSeconds(1))
                    .withBlocking(true)
                    .withMaxBatch(MAX_BATCH);
        }
    }

    /** Answers when it is told to. */
    private static final class SlowStore extends UnreadStore {
        private record BatchCall(int size, CompletableFuture<List<WriteResult>> answer) {}

        private final List<BatchCall> asked = new ArrayList<>();

        List<Integer> sizes() {
            return asked.stream().map(BatchCall::size).toList();
        }

        boolean isBusy() {
            return !asked.isEmpty();
        }

        void answer() {
            answer(0);
        }

        /** Not the first, but another. */
        void answer(int which) {
            BatchCall one = asked.remove(which % asked.size());
            one.answer().complete(Collections.nCopies(one.size(), WriteResult.Applied.PLAIN));
        }

        void answerAll() {
            while (isBusy()) {
                answer();
            }
        }

        @Override
        public CompletionStage<List<WriteResult>> write(List<Write> writes) {
            CompletableFuture<List<WriteResult>> answer = new CompletableFuture<>();
            asked.add(new BatchCall(writes.size(), answer));
            return answer;
        }

        @Override
        public StoreTraits traits() {
            return StoreTraits.of("slow", Duration.ofSeconds(1))
                    .withWriters(WRITERS)
                    .withSingles(SINGLES)
                    .withMaxBatch(MAX_BATCH);
        }
    }

    /** Nobody reads it. */
    private abstract static class UnreadStore implements RecordStore {
        @Override
        public CompletionStage<Optional<Versioned>> read(RecordKey key) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<Page> scan(ScanRequest request) {
            throw new UnsupportedOperationException();
        }

        @Override
        public StoreClock clock() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    }
}
