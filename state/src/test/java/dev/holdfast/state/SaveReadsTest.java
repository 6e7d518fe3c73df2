package dev.holdfast.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ClientConfig;
import dev.holdfast.LockClient;
import dev.holdfast.LockService;
import dev.holdfast.documents.MemoryDocuments;
import dev.holdfast.internal.engine.EngineConfig;
import dev.holdfast.internal.engine.LockEngine;
import dev.holdfast.internal.engine.Request;
import dev.holdfast.internal.engine.judgement.Judgement;
import dev.holdfast.internal.rules.Command;
import dev.holdfast.internal.rules.LockRules;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.model.Cause;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Terms;
import dev.holdfast.model.Times;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.state.versions.ClaimOutcome;
import dev.holdfast.state.versions.Provenance;
import dev.holdfast.state.versions.SaveOutcome;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StateConfig;
import dev.holdfast.state.versions.StateRefusal;
import dev.holdfast.test.machine.SettableClock;
import dev.holdfast.test.machine.TestMachine;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("how often the lock is read for a save")
class SaveReadsTest {
    private static final Stack SHOP = new Stack("shop", "prod");
    private static final LeaseId ID = new LeaseId("6f5a1c2e-terraform");
    private static final Provenance BY = Provenance.of("alice", "apply");

    private final SettableClock clock = new SettableClock(Instant.parse("2026-11-16T11:05:12.123456Z"));
    private final AtomicInteger reads = new AtomicInteger();
    private final LockEngine engine = new LockEngine(
                    counting(MemoryStore.shared(clock)),
                    new TestMachine(clock, 7).peer(),
                    EngineConfig.DEFAULT,
                    new LockRules(),
                    new Judgement(),
                    1)
            .started();
    private final LockClient locks = LockService.of(engine).client(ClientConfig.DEFAULT);
    private final StateManager state =
            StateManager.on(locks, new MemoryDocuments(), StateConfig.DEFAULT.withClock(new StandingClock(clock)));

    private RecordStore counting(RecordStore store) {
        return (RecordStore) Proxy.newProxyInstance(
                RecordStore.class.getClassLoader(), new Class<?>[] {RecordStore.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("read")) {
                        reads.incrementAndGet();
                    }
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @AfterEach
    void close() {
        state.close();
        locks.close();
    }

    /** As terraform holds: without end. */
    private Hold held() {
        Terms terms = new Terms(Times.FOREVER, Duration.ofMinutes(30), Duration.ZERO, Map.of(), "apply");
        Request request = new Request(
                SHOP.lock().record(), ID, Scope.WHOLE, "alice", terms, Duration.ZERO, Duration.ZERO, Cause.OWNER);
        engine.acquire(request).answer().join();
        return read();
    }

    private Hold read() {
        return engine.read(SHOP.lock().record()).join().orElseThrow().hold(ID).orElseThrow();
    }

    private static byte[] bytes(int serial) {
        return ("{\"serial\":" + serial + "}").getBytes(StandardCharsets.UTF_8);
    }

    @Test
    @DisplayName("once by lease id; not again for a hold that was just read")
    void once() {
        Hold hold = held();
        assertThat(state.claim(SHOP, ID, hold.token())).isInstanceOf(ClaimOutcome.Claimed.class);
        state.save(SHOP, ID, bytes(1), BY);

        reads.set(0);
        assertThat(state.save(SHOP, ID, bytes(2), BY)).isInstanceOf(SaveOutcome.Saved.class);
        int byLease = reads.getAndSet(0);
        assertThat(state.save(SHOP, hold, bytes(3), BY)).isInstanceOf(SaveOutcome.Saved.class);
        assertThat(reads.get()).isEqualTo(byLease - 1);
    }

    @Test
    @DisplayName("a hold that was read before a later holder claimed saves nothing")
    void fenced() {
        Hold hold = held();
        state.claim(SHOP, ID, hold.token());
        engine.release(SHOP.lock().record(), new Command.Release(ID, Command.Ending.RELEASED), Cause.OWNER)
                .join();
        assertThat(state.saveUnlocked(SHOP, bytes(5), BY)).isInstanceOf(SaveOutcome.Saved.class);
        assertThat(state.save(SHOP, hold, bytes(6), BY)).isInstanceOf(StateRefusal.class);
        assertThat(state.load(SHOP).orElseThrow().content()).isEqualTo(bytes(5));
    }
}
