package dev.holdfast.state;

import dev.holdfast.ClientConfig;
import dev.holdfast.LockClient;
import dev.holdfast.LockService;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.MemoryDocuments;
import dev.holdfast.engine.EngineConfig;
import dev.holdfast.engine.LockEngine;
import dev.holdfast.engine.judgement.Judgement;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.rules.LockRules;
import dev.holdfast.state.versions.StateConfig;
import dev.holdfast.test.machine.SettableClock;
import dev.holdfast.test.machine.TestMachine;
import java.time.Duration;
import java.time.Instant;

/** Locks and documents in memory, in a time that passes only when told to. */
final class World implements AutoCloseable {
    final SettableClock clock = new SettableClock(Instant.parse("2026-11-16T11:05:12.123456Z"));
    final DocumentStore documents = new MemoryDocuments();
    final TestMachine machine = new TestMachine(clock, 7);
    final LockClient locks = LockService.of(new LockEngine(
                            MemoryStore.shared(clock),
                            machine.peer(),
                            EngineConfig.DEFAULT,
                            new LockRules(),
                            new Judgement(),
                            1)
                    .started())
            .client(ClientConfig.DEFAULT);

    StateConfig config() {
        return StateConfig.DEFAULT.withClock(new StandingClock(clock));
    }

    StateManager state() {
        return StateManager.on(locks, documents, config());
    }

    void pass(Duration time) {
        machine.advance(time);
    }

    @Override
    public void close() {
        locks.close();
    }
}
