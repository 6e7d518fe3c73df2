package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.internal.engine.Acquisition;
import dev.holdfast.internal.engine.Answer;
import dev.holdfast.internal.engine.EngineConfig;
import dev.holdfast.internal.engine.LockEngine;
import dev.holdfast.internal.engine.Request;
import dev.holdfast.internal.engine.judgement.Judgement;
import dev.holdfast.internal.engine.machine.Machine;
import dev.holdfast.internal.engine.machine.ThreadMachine;
import dev.holdfast.internal.rules.AcquireResult;
import dev.holdfast.internal.rules.Command;
import dev.holdfast.internal.rules.DecidingEngine;
import dev.holdfast.internal.rules.Decision;
import dev.holdfast.internal.rules.LockRules;
import dev.holdfast.internal.rules.Moment;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Terms;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.time.LocalTime;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A virtual machine at its limits: an Error in the middle of a step ends that step, and nothing else. */
class EngineErrorsTest {
    private static final RecordKey KEY = new RecordKey("default", "lock");

    private final BentStore store = new BentStore(MemoryStore.shared(LocalTime.SYSTEM));
    private final AtomicInteger failing = new AtomicInteger();
    private LockEngine engine = engine(new ThreadMachine("test"), new LockRules());

    private LockEngine engine(Machine machine, LockRules rules) {
        return new LockEngine(store, machine, EngineConfig.DEFAULT, rules, new Judgement(), 1);
    }

    @AfterEach
    void close() {
        engine.close();
    }

    private void fail() {
        if (failing.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            throw new OutOfMemoryError("as if");
        }
    }

    @Test
    @DisplayName("a write that runs out of memory is retried or told, and the lane is free again")
    void write() throws Exception {
        store.beforeWrite = this::fail;
        failing.set(3);
        assertThat(acquire(engine, KEY).get(20, TimeUnit.SECONDS).result()).isInstanceOf(AcquireResult.Granted.class);
    }

    @Test
    @DisplayName("a read that runs out of memory is retried or told, and the lock can be used again")
    void read() throws Exception {
        store.beforeRead = this::fail;
        assertThat(acquire(engine, KEY).get(20, TimeUnit.SECONDS).result()).isInstanceOf(AcquireResult.Granted.class);
        failing.set(3);
        assertThat(acquire(engine, KEY).get(20, TimeUnit.SECONDS).result()).isInstanceOf(AcquireResult.Busy.class);
    }

    @Test
    @DisplayName("a rule that fails is told to who asked, by the lock's name, and the next one is served")
    void rules() throws Exception {
        engine.close();
        engine = engine(new ThreadMachine("test"), new LockRules() {
            @Override
            public Decision<AcquireResult> acquire(
                    LockRecord record, Command.Acquire ask, Moment now, DecidingEngine here) {
                fail();
                return super.acquire(record, ask, now, here);
            }
        });
        failing.set(1);
        CompletableFuture<Answer<AcquireResult>> first = acquire(engine, KEY);
        assertThatThrownBy(() -> first.get(20, TimeUnit.SECONDS))
                .hasCauseInstanceOf(StoreException.class)
                .hasRootCauseInstanceOf(OutOfMemoryError.class)
                .hasMessageContaining("'lock'");
        assertThat(acquire(engine, KEY).get(20, TimeUnit.SECONDS).result()).isInstanceOf(AcquireResult.Granted.class);
    }

    @Test
    @DisplayName("a task that throws an Error takes no thread of the machine with it")
    void tasks() throws Exception {
        Machine machine = engine.machine();
        CountDownLatch others = new CountDownLatch(2);
        machine.after(Duration.ZERO, () -> {
            throw new LinkageError("as if");
        });
        machine.run(() -> {
            throw new LinkageError("as if");
        });
        machine.after(Duration.ofMillis(20), others::countDown);
        machine.run(others::countDown);
        assertThat(others.await(10, TimeUnit.SECONDS)).isTrue();
    }

    private static CompletableFuture<Answer<AcquireResult>> acquire(LockEngine engine, RecordKey key) {
        Acquisition asked = engine.acquire(new Request(
                key,
                engine.newLeaseId(),
                Scope.WHOLE,
                "owner",
                Terms.of(Duration.ofSeconds(30)),
                Duration.ZERO,
                Duration.ZERO));
        return asked.answer();
    }
}
