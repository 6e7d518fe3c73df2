package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.internal.engine.EngineConfig;
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
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("the log behind those who listen")
class EventFeedTest {
    private final SettableClock clock = new SettableClock(Instant.parse("2026-01-01T00:00:00Z"));
    private final TestMachine machine = new TestMachine(clock, 1);
    private final MemoryStore memory = MemoryStore.shared(clock);
    private final LockEngine engine =
            new LockEngine(slow(), machine.peer(), EngineConfig.DEFAULT, new LockRules(), new Judgement(), 1).started();
    private final List<Long> heard = new ArrayList<>();
    private int reads;

    /** The memory, as a store whose calls keep a thread. */
    private RecordStore slow() {
        return (RecordStore) Proxy.newProxyInstance(
                EventFeedTest.class.getClassLoader(),
                new Class<?>[] {RecordStore.class, EventLog.class},
                (proxy, method, values) -> {
                    if (method.getName().equals("traits")) {
                        return memory.traits().withBlocking(true);
                    }
                    reads += method.getName().equals("events") ? 1 : 0;
                    return method.invoke(memory, values);
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
}
