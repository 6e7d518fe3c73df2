package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.Attempt;
import dev.holdfast.ClientConfig;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.LockService;
import dev.holdfast.internal.engine.EngineConfig;
import dev.holdfast.internal.engine.LockEngine;
import dev.holdfast.internal.engine.Request;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LostReason;
import dev.holdfast.spi.StoreUnavailableException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A service that grants, cannot deliver, and takes back: asked again by the same id it can only say that the id has ended. A caller
 * who never heard of that id has lost nothing.
 */
class LostAnswerTest {
    private static final LockKey KEY = LockKey.of("default", "lock");

    private final LockService real = LockService.of(LockEngine.start(MemoryStore.exclusive(), EngineConfig.DEFAULT));
    private final Set<LeaseId> asked = new HashSet<>();
    private int losing;
    private LostReason how = LostReason.RELEASED;
    private final LockClient client = losingAnswers().client(ClientConfig.DEFAULT);

    private LockService losingAnswers() {
        return (LockService) Proxy.newProxyInstance(
                LockService.class.getClassLoader(), new Class<?>[] {LockService.class}, (self, method, given) -> {
                    if (method.getName().equals("client")) {
                        return InvocationHandler.invokeDefault(self, method, given); // on this, not on the real one
                    }
                    if (method.getName().equals("acquire")) {
                        Request request = (Request) given[0];
                        asked.add(request.leaseId());
                        if (losing-- > 0) {
                            return new LostAnswerAsking(
                                    CompletableFuture.completedFuture(new Attempt.Lost<>(KEY, how)));
                        }
                    }
                    try {
                        return method.invoke(real, given);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private record LostAnswerAsking(CompletableFuture<Attempt<LockService.Grant>> answer)
            implements LockService.Asking {
        @Override
        public void cancel() {}
    }

    @AfterEach
    void close() {
        client.close();
    }

    @ParameterizedTest
    @EnumSource(names = {"RELEASED", "EXPIRED", "ABANDONED", "FORCED"})
    @DisplayName("the lock is asked for again under another id, by every way of asking")
    void askedAgain(LostReason reason) throws Exception {
        how = reason;
        losing = 2;
        try (Lease lease = client.acquire("lock")) {
            assertThat(lease.isValid()).isTrue();
        }
        losing = 1;
        assertThat(client.tryRun("lock", lease -> "worked")).isEqualTo(new Attempt.Done<>("worked"));
        losing = 1;
        Attempt<Lease> later =
                client.acquireAsync(KEY, o -> {}).toCompletableFuture().get(10, TimeUnit.SECONDS);
        assertThat(later.orThrow().isValid()).isTrue();
        assertThat(asked).as("each time another id").hasSize(3 + 2 + 2);
    }

    @Test
    @DisplayName("a try that never gets through ends in a failure, not in a loss")
    void neverThrough() {
        losing = Integer.MAX_VALUE;
        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> client.tryRun("lock", lease -> "worked"))
                .withMessageContaining("Nothing is held");
        assertThat(asked).hasSizeLessThan(10);
    }

    @Test
    @DisplayName("who chose the id is told what became of it")
    void ownId() throws Exception {
        losing = 1;
        LeaseId mine = new LeaseId("lease-id-mine");
        assertThat(client.tryAcquire(KEY, o -> o.leaseId(mine).waitUpTo(Duration.ofSeconds(1))))
                .isEqualTo(new Attempt.Lost<>(KEY, LostReason.RELEASED));
    }
}
