package dev.holdfast.spring.actuator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.ClientConfig;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.micrometer.HoldfastMetrics;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spring.HoldfastAutoConfiguration;
import dev.holdfast.spring.fake.FakeLocksConfiguration;
import dev.holdfast.test.FakeLocks;
import dev.holdfast.test.Rival;
import dev.holdfast.testkit.fixture.FaultyStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.DeferredImportSelector;
import org.springframework.context.annotation.Import;
import org.springframework.core.type.AnnotationMetadata;

@DisplayName("An application shows its locks")
class ActuatorTest {
    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    HoldfastAutoConfiguration.class,
                    HoldfastEndpointAutoConfiguration.class,
                    LockMetricsAutoConfiguration.class))
            .withUserConfiguration(FakeLocksConfiguration.class)
            .withPropertyValues("management.endpoints.web.exposure.include=holdfast", "holdfast.owner=shop-1");

    @Test
    @DisplayName("at an endpoint: what it holds and waits for, and one lock with everybody")
    void endpoint() {
        application.run(context -> {
            FakeLocks locks = context.getBean(FakeLocks.class);
            HoldfastEndpoint endpoint = context.getBean(HoldfastEndpoint.class);
            Rival other = locks.busy("imports");
            LockClient client = context.getBean(LockClient.class);
            CompletableFuture<?> waiting = client.acquireAsync("imports", o -> o.waitForever());
            locks.awaitWaiting("imports", 1);
            try (Lease lease = client.acquire("a/b", o -> o.reason("why"))) {
                HoldfastEndpoint.Own own = endpoint.own();
                assertThat(own.owner()).isEqualTo("shop-1");
                assertThat(own.complete()).isTrue();
                assertThat(own.holds()).singleElement().satisfies(hold -> {
                    assertThat(hold.name()).isEqualTo("a/b");
                    assertThat(hold.reason()).isEqualTo("why");
                    assertThat(hold.token()).isEqualTo(lease.token().value());
                });
                assertThat(own.waits()).singleElement().satisfies(wait -> {
                    assertThat(wait.name()).isEqualTo("imports");
                    assertThat(wait.position()).isEqualTo(1);
                });
                assertThat(endpoint.one(new String[] {"a", "b"}, null).holds())
                        .singleElement()
                        .matches(hold -> hold.owner().equals("shop-1"));
                assertThat(endpoint.one(new String[] {"imports"}, "default").holds())
                        .singleElement()
                        .matches(hold -> hold.owner().equals("somebody-else"));
                assertThat(endpoint.one(new String[] {"imports"}, "other").holds())
                        .isEmpty();
            }
            assertThat(endpoint.own().holds()).isEmpty();
            waiting.cancel(true);
            other.free();
            try (FakeLocks.Outage outage = locks.outage()) {
                assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(endpoint::own);
            }
        });
    }

    /** All that is configured here, by name, as Spring Boot does it. */
    static class All implements DeferredImportSelector {
        @Override
        public String[] selectImports(AnnotationMetadata unused) {
            return ImportCandidates.load(AutoConfiguration.class, All.class.getClassLoader()).getCandidates().stream()
                    .filter(name -> name.startsWith("dev.holdfast."))
                    .sorted()
                    .toArray(String[]::new);
        }
    }

    @Configuration
    @Import(All.class)
    static class Everything {}

    @Test
    @DisplayName("only where that is wanted and possible")
    void absent() {
        application
                .withPropertyValues("management.endpoints.web.exposure.include=health")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(HoldfastEndpoint.class)
                        .doesNotHaveBean(HoldfastMetrics.class));
        new ApplicationContextRunner()
                .withUserConfiguration(Everything.class)
                .withPropertyValues("holdfast.url=memory:")
                .withClassLoader(new FilteredClassLoader(
                        "org.springframework.boot.actuate",
                        "org.springframework.boot.health",
                        "io.micrometer",
                        "dev.holdfast.micrometer",
                        "dev.holdfast.test"))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(LockClient.class)
                        .doesNotHaveBean("holdfastEndpoint"));
    }

    @Test
    @DisplayName("as health, soon, also if the store never answers")
    void hangingStore() {
        FaultyStore store = FaultyStore.of(MemoryStore.exclusive());
        try (LockClient client = LockClient.on(store, ClientConfig.DEFAULT)) {
            StoreProbe probe = new StoreProbe(client, ClientConfig.DEFAULT);
            assertThat(probe.failure()).isEmpty();
            store.next(FaultyStore.Call.SCAN, 1, FaultyStore.Fault.HANG);
            assertThat(probe.failure())
                    .get()
                    .isInstanceOf(TimeoutException.class)
                    .hasToString(
                            TimeoutException.class.getName() + ": The store of the locks has not answered for 3 s");
            store.letGo();
        }
    }

    @Test
    @DisplayName("as metrics, where it has a registry of meters")
    void metrics() {
        application.withBean(MeterRegistry.class, SimpleMeterRegistry::new).run(context -> {
            context.getBean(LockClient.class).acquire("a").close();
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            assertThat(registry.get("holdfast.client.acquire.duration")
                            .tag("outcome", "granted")
                            .timer()
                            .count())
                    .isEqualTo(1);
            assertThat(registry.get("holdfast.client.held.duration").timer().count())
                    .isEqualTo(1);
        });
    }
}
