package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.internal.engine.EngineConfig;
import dev.holdfast.internal.engine.EventFeed;
import dev.holdfast.internal.engine.LockEngine;
import dev.holdfast.internal.engine.Request;
import dev.holdfast.internal.engine.judgement.Judgement;
import dev.holdfast.internal.rules.LockRules;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Terms;
import dev.holdfast.spi.EventLog;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.test.machine.SettableClock;
import dev.holdfast.test.machine.TestMachine;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("the log behind those who listen")
class EventFeedTest {
    private final SettableClock clock = new SettableClock(Instant.parse("2026-01-01T00:00:00Z"));
    private final TestMachine machine = new TestMachine(clock, 1);
    private final MemoryStore memory = MemoryStore.shared(clock);
    private LockEngine engine = engine(true);
    private final List<Long> heard = new ArrayList<>();
    private int reads;
    /** What the answers of the log wait for. */
    private CompletableFuture<?> gate = CompletableFuture.completedFuture("open");

    private LockEngine engine(boolean blocking) {
        return new LockEngine(
                        store(blocking), machine.peer(), EngineConfig.DEFAULT, new LockRules(), new Judgement(), 1)
                .started();
    }

    /** The memory, as a store whose calls keep a thread, or not. */
    private RecordStore store(boolean blocking) {
        return (RecordStore) Proxy.newProxyInstance(
                EventFeedTest.class.getClassLoader(),
                new Class<?>[] {RecordStore.class, EventLog.class},
                (proxy, method, values) -> {
                    if (method.getName().equals("traits")) {
                        return memory.traits().withBlocking(blocking);
                    }
                    Object answer = method.invoke(memory, values);
                    if (!method.getName().equals("events")) {
                        return answer;
                    }
                    reads++;
                    Object found =
                            ((CompletionStage<?>) answer).toCompletableFuture().join();
                    return gate.thenApply(open -> found);
                });
    }

    private void acquire(int lock) {
        engine.acquire(new Request(
                new RecordKey("default", "lock-" + lock),
                engine.newLeaseId(),
                Scope.WHOLE,
                "owner",
                Terms.of(Duration.ofSeconds(30)),
                Duration.ZERO,
                Duration.ZERO));
    }

    @Test
    @DisplayName("is read at once when something happens after a while")
    void atOnce() {
        engine.watch(event -> heard.add(event.number()));
        machine.advance(Duration.ofSeconds(1));
        acquire(1);
        machine.advance(Duration.ZERO);
        assertThat(heard).hasSize(1);
    }

    @Test
    @DisplayName("is not read for each of many events that follow one another, and each is told")
    void together() {
        engine.watch(event -> heard.add(event.number()));
        machine.advance(Duration.ofSeconds(1));
        int before = reads;
        for (int i = 0; i < 1_000; i++) {
            acquire(i);
            machine.advance(Duration.ofNanos(10_000)); // ten milliseconds in all
        }
        machine.advance(Duration.ofMillis(5));
        assertThat(heard).hasSize(1_000).isSorted();
        assertThat(reads - before).isLessThan(10);
    }

    @Test
    @DisplayName("is read again at once for what happened while it was read, where a look keeps no thread")
    void meanwhile() {
        engine = engine(false);
        engine.watch(event -> heard.add(event.number()));
        machine.advance(Duration.ofSeconds(1));
        CompletableFuture<String> closed = new CompletableFuture<>();
        gate = closed;
        acquire(1);
        machine.advance(Duration.ZERO);
        acquire(2);
        machine.advance(Duration.ZERO);
        gate = CompletableFuture.completedFuture("open");
        closed.complete("open");
        machine.advance(Duration.ZERO);
        assertThat(heard).hasSize(2);
    }

    @Test
    @DisplayName("is read for the next who listens when the last one left while it was read")
    void lastOneLeft() throws Exception {
        EventFeed.Feed leaving = engine.watch(event -> {});
        machine.advance(Duration.ofSeconds(1));
        CompletableFuture<String> closed = new CompletableFuture<>();
        gate = closed;
        acquire(1);
        machine.advance(Duration.ZERO);
        leaving.close();
        gate = CompletableFuture.completedFuture("open");
        closed.complete("open");
        engine.watch(event -> heard.add(event.number()));
        machine.advance(Duration.ZERO);
        acquire(2);
        machine.advance(Duration.ofMillis(5));
        assertThat(heard).hasSize(1);
    }
}
