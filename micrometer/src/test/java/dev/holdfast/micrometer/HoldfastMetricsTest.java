package dev.holdfast.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.Attempt;
import dev.holdfast.ClientConfig;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.failure.ClientClosedException;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LostReason;
import dev.holdfast.spi.AccessRefusedException;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.testkit.Await;
import dev.holdfast.testkit.fixture.FaultyStore;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("metrics of an application's locks")
class HoldfastMetricsTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final FaultyStore store = FaultyStore.of(MemoryStore.exclusive());
    private final LockClient client =
            LockClient.on(store, config(HoldfastMetrics.on(registry)).withOperationTimeout(Duration.ofSeconds(1)));

    private static ClientConfig config(HoldfastMetrics metrics) {
        return ClientConfig.DEFAULT.withNamespace("billing").withListener(metrics);
    }

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    @DisplayName("a lock that is granted is timed with its wait, and one that is given back with how long it was held")
    void grantedAndReleased() throws Exception {
        Lease first = client.acquire("report");
        CompletableFuture<Attempt<Lease>> second =
                client.acquireAsync("report", o -> o.waitUpTo(Duration.ofMinutes(1)));
        Await.until(
                "it waits",
                () -> !client.inspect().get(client.key("report")).waiters().isEmpty());
        first.release();
        Await.get(second).orThrow().close();
        Timer waited = registry.get("holdfast.client.acquire.duration")
                .tags("namespace", "billing", "outcome", "granted")
                .timer();
        assertThat(waited.count()).isEqualTo(2);
        assertThat(waited.max(TimeUnit.NANOSECONDS)).isPositive();
        assertThat(timed("held.duration", Map.of("namespace", "billing"))).isEqualTo(2);
    }

    @Test
    @DisplayName("a lock that others have is counted as busy, with how long it was waited for")
    void busy() throws Exception {
        try (Lease lease = client.acquire("report")) {
            assertThat(client.tryAcquire("report").isDone()).isFalse();
            assertThat(lease.isValid()).isTrue();
        }
        assertThat(timed("acquire.duration", Map.of("namespace", "billing", "outcome", "busy")))
                .isEqualTo(1);
    }

    @Test
    @DisplayName("a lease that is lost is counted by its reason, and not as released")
    void lost() throws Exception {
        Lease lease = client.acquire("report", o -> o.lease(Duration.ofSeconds(2)));
        client.inspect().forceUnlock(lease.key(), lease.token(), "test");
        Map<String, String> tags = Map.of("namespace", "billing", "reason", "forced");
        Await.until("the loss is counted", () -> counted("lost", tags) == 1);
        lease.close();
        assertThat(counted("lost", tags)).isEqualTo(1);
        assertThat(registry.find("holdfast.client.held.duration").timer()).isNull();
    }

    @Test
    @DisplayName("asking with a lease id that has ended is no loss")
    void ended() throws Exception {
        Lease first = client.acquire("report");
        first.close();
        assertThat(client.tryAcquire("report", o -> o.leaseId(first.leaseId())).isDone())
                .isFalse();
        assertThat(counted("acquire.failures", Map.of("namespace", "billing", "reason", "ended")))
                .isEqualTo(1);
        assertThat(registry.find("holdfast.client.lost").counter()).isNull();
    }

    @Test
    @DisplayName("a store that fails is counted as a failure, never as busy")
    void storeFails() {
        store.cut();
        assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> client.tryAcquire("report"));
        assertThat(counted("acquire.failures", Map.of("namespace", "billing", "reason", "unavailable")))
                .isEqualTo(1);
        assertThat(registry.find("holdfast.client.acquire.duration").timer()).isNull();
        store.heal();
    }

    @Test
    @DisplayName("each way to fail has a name of its own")
    void failures() {
        HoldfastMetrics metrics = HoldfastMetrics.on(registry);
        LockKey key = LockKey.of("billing", "report");
        metrics.failed(key, new OutcomeUnknownException("lost on its way", null));
        metrics.failed(key, new AccessRefusedException("not allowed", null));
        metrics.failed(key, new StoreUnusableException("no table", null));
        metrics.failed(key, new ClientClosedException("of memory"));
        metrics.failed(key, new CancellationException());
        metrics.failed(key, new InterruptedException());
        metrics.failed(key, new IllegalStateException("a defect"));
        Map<String, Double> byReason = registry.find("holdfast.client.acquire.failures").counters().stream()
                .collect(Collectors.toMap(counter -> counter.getId().getTag("reason"), Counter::count));
        assertThat(byReason)
                .isEqualTo(Map.of(
                        "outcome_unknown",
                        1.0,
                        "refused",
                        1.0,
                        "unusable",
                        1.0,
                        "closed",
                        1.0,
                        "cancelled",
                        2.0,
                        "error",
                        1.0));
    }

    @Test
    @DisplayName("meters can be there from the start, with zero and with every reason and outcome")
    void zeros() {
        HoldfastMetrics metrics = HoldfastMetrics.on(registry).startAtZero("billing");
        Map<String, Integer> before = meters();
        assertThat(before)
                .containsOnly(
                        Map.entry("holdfast.client.acquire.duration", 2),
                        Map.entry("holdfast.client.acquire.failures", 8),
                        Map.entry("holdfast.client.held.duration", 1),
                        Map.entry("holdfast.client.lost", LostReason.values().length));
        LockKey key = LockKey.of("billing", "report");
        metrics.busy(key, Duration.ZERO);
        metrics.released(key, Duration.ZERO);
        metrics.lost(key, LostReason.STORE_UNREACHABLE);
        metrics.failed(key, new CancellationException());
        assertThat(meters()).isEqualTo(before);
    }

    private Map<String, Integer> meters() {
        Map<String, Integer> count = new TreeMap<>();
        for (Meter meter : registry.getMeters()) {
            if (!meter.getId()
                    .getName()
                    .endsWith(".histogram")) { // the buckets of a timer, as this registry shows them
                count.merge(meter.getId().getName(), 1, Integer::sum);
            }
        }
        return count;
    }

    @Test
    @DisplayName("the lock is a tag only if a function says how, and values of a tag are bounded")
    void bounded() {
        HoldfastMetrics metrics =
                HoldfastMetrics.on(registry).withLockTag(key -> key.name().replaceAll("-.*", ""));
        metrics.busy(LockKey.of("billing", "invoice-17"), Duration.ZERO);
        metrics.busy(LockKey.of("billing", "invoice-18"), Duration.ZERO);
        assertThat(timed("acquire.duration", Map.of("namespace", "billing", "outcome", "busy", "lock", "invoice")))
                .isEqualTo(2);
        for (int i = 0; i < HoldfastMetrics.MAX_LOCKS + 50; i++) {
            metrics.released(LockKey.of("tenant" + i, "x" + i), Duration.ZERO);
        }
        assertThat(values("holdfast.client.held.duration", "lock")).hasSize(HoldfastMetrics.MAX_LOCKS);
        assertThat(values("holdfast.client.held.duration", "namespace"))
                .hasSize(HoldfastMetrics.MAX_NAMESPACES)
                .containsEntry("other", HoldfastMetrics.MAX_LOCKS - (HoldfastMetrics.MAX_NAMESPACES - 1));
    }

    /** How many meters have each value of a tag. */
    private Map<String, Integer> values(String meter, String tag) {
        return registry.find(meter).meters().stream()
                .collect(Collectors.toMap(found -> found.getId().getTag(tag), found -> 1, Integer::sum));
    }

    private long timed(String name, Map<String, String> tags) {
        return registry.get("holdfast.client." + name).tags(tags(tags)).timer().count();
    }

    private double counted(String name, Map<String, String> tags) {
        Counter counter =
                registry.find("holdfast.client." + name).tags(tags(tags)).counter();
        return counter == null ? 0 : counter.count();
    }

    private static Iterable<Tag> tags(Map<String, String> tags) {
        return tags.entrySet().stream()
                .map(entry -> Tag.of(entry.getKey(), entry.getValue()))
                .toList();
    }
}
