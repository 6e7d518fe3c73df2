package dev.holdfast.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.holdfast.ClientConfig;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.model.LostReason;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

@DisplayName("the extension for JUnit")
@Execution(ExecutionMode.SAME_THREAD)
class FakeLocksExtensionTest {
    /** The classes below are tests only for this one. */
    private static final String RUN = "holdfast.test.run-samples";

    /** What became of each test, by the name of its method; "passed", or what it failed with. */
    private static Map<String, String> run(Class<?> tests) {
        Map<String, String> results = new LinkedHashMap<>();
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(tests))
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "false")
                .build();
        System.setProperty(RUN, "yes");
        try {
            LauncherFactory.create().execute(request, new TestExecutionListener() {
                @Override
                public void executionFinished(TestIdentifier id, TestExecutionResult result) {
                    if (id.isTest()) {
                        results.put(
                                id.getDisplayName().replaceFirst("\\(.*", ""),
                                result.getThrowable().map(Throwable::toString).orElse("passed"));
                    }
                }
            });
        } finally {
            System.clearProperty(RUN);
        }
        return results;
    }

    @Test
    @DisplayName("gives each test locks of its own, the same to all its parameters, and closes them")
    void fresh() {
        Fresh.SEEN.clear();
        assertThat(run(Fresh.class)).hasSize(2).containsOnlyKeys("one", "two").containsValue("passed");
        assertThat(Fresh.SEEN).hasSize(2).doesNotHaveDuplicates();
        assertThat(Fresh.SEEN)
                .allSatisfy(locks ->
                        assertThat(locks.client().acquireAsync("report")).isCompletedExceptionally());
    }

    @EnabledIfSystemProperty(named = RUN, matches = "yes")
    @ExtendWith(FakeLocksExtension.class)
    static class Fresh {
        static final List<FakeLocks> SEEN = new ArrayList<>();
        private Lease lease;

        @BeforeEach
        void take(LockClient client) throws InterruptedException {
            lease = client.acquire("report");
        }

        @Test
        void one(FakeLocks locks, LockClient client) {
            assertThat(locks.isHeld("report")).isTrue();
            assertThat(client).isSameAs(locks.client());
            SEEN.add(locks);
        }

        @Test
        void two(FakeLocks locks) {
            assertThat(locks.isHeld("report")).isTrue();
            SEEN.add(locks);
        }

        @AfterEach
        void release() {
            lease.close();
        }
    }

    @Test
    @DisplayName("fails a test that leaves a lock held, unless it is marked, lost it, or failed itself")
    void leaks() {
        Map<String, String> results = run(Leaks.class);
        assertThat(results).hasSize(6);
        assertThat(results.get("leaves")).contains("not released", "default:report", "try (Lease");
        assertThat(results.get("marked")).isEqualTo("passed");
        assertThat(results.get("inMarkedClass")).isEqualTo("passed");
        assertThat(results.get("lost")).isEqualTo("passed");
        assertThat(results.get("rival")).isEqualTo("passed");
        assertThat(results.get("fails")).contains("its own failure");
    }

    @EnabledIfSystemProperty(named = RUN, matches = "yes")
    @ExtendWith(FakeLocksExtension.class)
    static class Leaks {
        @Test
        void leaves(LockClient client) throws InterruptedException {
            client.acquire("report");
        }

        @Test
        @MayLeaveLocksHeld
        void marked(LockClient client) throws InterruptedException {
            client.acquire("report");
        }

        @Test
        void lost(FakeLocks locks) throws InterruptedException {
            Lease lease = locks.client().acquire("report");
            locks.lose("report", LostReason.FORCED);
            assertThat(lease.isValid()).isFalse();
        }

        @Test
        void rival(FakeLocks locks) {
            locks.busy("report");
        }

        @Test
        void fails(LockClient client) throws InterruptedException {
            client.acquire("report");
            fail("its own failure");
        }

        @Nested
        @MayLeaveLocksHeld
        class Marked {
            @Test
            void inMarkedClass(LockClient client) throws InterruptedException {
                client.acquire("report");
            }
        }
    }

    @Test
    @DisplayName("fails a test whose listener threw")
    void listener() {
        assertThat(run(Listens.class).get("listens")).contains("listener", "not this one");
    }

    @EnabledIfSystemProperty(named = RUN, matches = "yes")
    @ExtendWith(FakeLocksExtension.class)
    static class Listens {
        @Test
        void listens(FakeLocks locks) throws InterruptedException {
            Lease lease = locks.client().acquire("report");
            lease.onLost(reason -> fail("not this one"));
            locks.lose("report", LostReason.FORCED);
        }
    }

    @Test
    @DisplayName("can be registered with settings of the client")
    void registered() {
        assertThat(run(Registered.class)).containsExactly(Map.entry("namespace", "passed"));
    }

    @EnabledIfSystemProperty(named = RUN, matches = "yes")
    static class Registered {
        @RegisterExtension
        static final FakeLocksExtension LOCKS = new FakeLocksExtension(ClientConfig.DEFAULT.withNamespace("billing"));

        @Test
        void namespace(LockClient client) {
            assertThat(client.key("run").namespace()).isEqualTo("billing");
        }
    }

    @Test
    @DisplayName("refuses to give one to all tests together")
    void constructor() {
        assertThat(run(InConstructor.class).get("never")).contains("of its own", "@BeforeEach");
    }

    @EnabledIfSystemProperty(named = RUN, matches = "yes")
    @ExtendWith(FakeLocksExtension.class)
    static class InConstructor {
        InConstructor(FakeLocks locks) {
            assertThat(locks).isNull();
        }

        @Test
        void never() {}
    }
}
