package dev.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.ClientConfig;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.LockListener;
import dev.holdfast.failure.ClientClosedException;
import dev.holdfast.model.LockKey;
import dev.holdfast.testkit.Await;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.ArgumentResolver;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;

@DisplayName("An application")
class HoldfastAutoConfigurationTest {
    @TempDir
    Path directory;

    private final ApplicationContextRunner application =
            new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(HoldfastAutoConfiguration.class));

    @Test
    @DisplayName("has a lock client of holdfast.url, with the settings of its properties")
    void url() {
        application
                .withPropertyValues("holdfast.url=memory:", "holdfast.owner=shop-1", "holdfast.namespace=shop")
                .run(context -> {
                    LockClient client = context.getBean(LockClient.class);
                    try (Lease lease = client.acquire("a")) {
                        assertThat(lease.key()).isEqualTo(LockKey.of("shop", "a"));
                        assertThat(client.inspect()
                                        .get(lease.key())
                                        .holders()
                                        .get(0)
                                        .owner())
                                .isEqualTo("shop-1");
                    }
                    assertThat(context.getBean(HoldfastProperties.class))
                            .matches(set -> set.waitTime().equals(Duration.ofSeconds(30)))
                            .matches(set -> set.shutdownWait().equals(Duration.ofSeconds(20)))
                            .matches(HoldfastProperties::history);
                });
    }

    @Test
    @DisplayName("never shows the password of its store")
    void secrets() {
        application
                .withPropertyValues("holdfast.url=postgresql://app:secret@nowhere.invalid/shop?connect_wait=0")
                .run(context -> {
                    assertThat(context).hasFailed();
                    assertThat(context.getStartupFailure()).hasStackTraceContaining("nowhere.invalid");
                    assertThat(String.valueOf(context.getStartupFailure().getMessage()))
                            .doesNotContain("secret");
                });
        Duration some = Duration.ofSeconds(5);
        HoldfastProperties set = new HoldfastProperties(
                "https://locks.example.com?token=secret", "", "default", some, some, some, some, true, some);
        assertThat(set.toString()).doesNotContain("secret");
    }

    private DataSource sqlite(String file) {
        return new DriverManagerDataSource("jdbc:sqlite:" + directory.resolve(file) + "?journal_mode=WAL");
    }

    @Test
    @DisplayName("has a lock client of its DataSource, never in its transactions")
    void dataSource() {
        application
                .withBean(DataSource.class, () -> new TransactionAwareDataSourceProxy(sqlite("app.db")))
                .run(context -> {
                    try (Lease lease = context.getBean(LockClient.class).acquire("a");
                            LockClient outside = LockClient.connect("sqlite:" + directory.resolve("app.db"))) {
                        assertThat(outside.inspect().get(lease.key()).isFree()).isFalse();
                    }
                });
    }

    static class TwoDataSources {
        @Bean
        DataSource first() {
            return new DriverManagerDataSource("jdbc:sqlite:unused");
        }

        @Bean
        DataSource second() {
            return new DriverManagerDataSource("jdbc:sqlite:unused");
        }
    }

    @Test
    @DisplayName("that says nothing of its place for locks, or not which, is told what to write")
    void noPlace() {
        application.run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .isInstanceOf(HoldfastStartException.class)
                .hasMessageContaining("no holdfast.url, and no DataSource")
                .hasMessageContaining("Set holdfast.url"));
        application
                .withUserConfiguration(TwoDataSources.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("more than one (2) DataSource")
                        .hasMessageContaining("@HoldfastDataSource"));
        application
                .withBean(DataSource.class, () -> sqlite("app.db"))
                .withClassLoader(new FilteredClassLoader("dev.holdfast.jdbc"))
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("holdfast-jdbc is not on the class path"));
        application
                .withBean(DataSource.class, () -> named("H2"))
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("The database of the DataSource is H2"));
    }

    /** What Spring Boot shows of an application that does not start. */
    private static FailureAnalysis shown(Throwable failure) {
        ArgumentResolver arguments = ArgumentResolver.of(BeanFactory.class, new DefaultListableBeanFactory())
                .and(Environment.class, new StandardEnvironment());
        SpringFactoriesLoader.FailureHandler leftOut = (type, name, missing) -> {}; // what needs other libraries
        return SpringFactoriesLoader.forDefaultResourceLocation()
                .load(FailureAnalyzer.class, arguments, leftOut)
                .stream()
                .map(analyzer -> analyzer.analyze(failure))
                .filter(Objects::nonNull)
                .findFirst()
                .orElseThrow(() -> new AssertionError("only a stack trace", failure));
    }

    @Test
    @DisplayName("with settings that are out of bounds does not start, and is told of all of them")
    void settings() {
        application
                .withPropertyValues(
                        "holdfast.url=memory:",
                        "holdfast.owner=" + "x".repeat(1_000),
                        "holdfast.namespace=no namespace",
                        "holdfast.lease=48h",
                        "holdfast.wait=30d",
                        "holdfast.connect-wait=-1s",
                        "holdfast.operation-timeout=0s",
                        "holdfast.shutdown-wait=-5s")
                .run(context -> assertThat(shown(context.getStartupFailure()).getDescription())
                        .startsWith("A setting of Holdfast is wrong:\n    - ")
                        .contains("- holdfast.lease 'PT48H' must be between PT0.1S and PT24H")
                        .contains("- holdfast.wait 'PT720H' must be between PT0S and PT168H")
                        .contains("- holdfast.shutdown-wait 'PT-5S' must be between")
                        .contains("- holdfast.owner: ")
                        .contains("- holdfast.namespace: ")
                        .contains("- holdfast.connect-wait: ")
                        .contains("- holdfast.operation-timeout: ")
                        .endsWith("."));
    }

    @Test
    @DisplayName("whose place for locks cannot be used does not start, and is told why without a stack trace")
    void unusablePlace() throws IOException {
        Path file = Files.writeString(directory.resolve("a file"), "no directory");
        application
                .withPropertyValues("holdfast.url=redis://localhost")
                .run(context -> assertThat(shown(context.getStartupFailure()).getDescription())
                        .startsWith("holdfast.url does not lead to a store of locks: No store on the class path"));
        application
                .withPropertyValues("holdfast.url=sqlite:" + file.resolve("locks.db"))
                .run(context -> {
                    assertThat(shown(context.getStartupFailure()).getDescription())
                            .startsWith("holdfast.url does not lead to a store of locks: ")
                            .doesNotEndWith("..");
                    assertThat(shown(context.getStartupFailure()).getAction()).contains("holdfast.connect-wait");
                });
        application
                .withBean(DataSource.class, () -> sqlite("missing/app.db"))
                .run(context -> assertThat(shown(context.getStartupFailure()).getDescription())
                        .startsWith(
                                "Locks cannot be kept in the database of the DataSource: it gives no connection: "));
    }

    /** A database that has nothing but a name. */
    private static DataSource named(String product) {
        return answering(DataSource.class, answering(Connection.class, answering(DatabaseMetaData.class, product)));
    }

    private static <T> T answering(Class<T> type, Object with) {
        Object one = Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
            if (method.getName().equals("hashCode")) {
                return System.identityHashCode(self);
            }
            if (method.getName().equals("equals")) {
                return self == arguments[0];
            }
            return method.getReturnType().isInstance(with) ? with : null;
        });
        return type.cast(one);
    }

    static class MarkedDataSource extends TwoDataSources {
        @Bean
        @HoldfastDataSource
        DataSource third(Environment environment) {
            return new DriverManagerDataSource("jdbc:sqlite:" + environment.getProperty("place"));
        }
    }

    @Test
    @DisplayName("with several DataSources uses the one that is marked")
    void marked() {
        Path file = directory.resolve("third.db");
        application
                .withUserConfiguration(MarkedDataSource.class)
                .withPropertyValues("place=" + file)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(file).exists();
                });
    }

    @Test
    @DisplayName("can change the settings, hear of its locks, and bring a client of its own")
    void customized() {
        List<String> heard = new ArrayList<>();
        LockListener listener = new LockListener() {
            @Override
            public void acquired(Lease lease, Duration waited) {
                heard.add(lease.key().name());
                throw new IllegalStateException("fails");
            }
        };
        application
                .withPropertyValues("holdfast.url=memory:")
                .withBean("first", LockListener.class, () -> listener)
                .withBean("second", LockListener.class, () -> listener)
                .withBean(ClientConfigCustomizer.class, () -> config -> config.withOwner("customized"))
                .run(context -> {
                    context.getBean(LockClient.class).acquire("a").close();
                    assertThat(heard).containsExactly("a", "a");
                    assertThat(context.getBean(ClientConfig.class).owner()).isEqualTo("customized");
                });
        LockClient own = LockClient.connect("memory:");
        application
                .withBean(LockClient.class, () -> own)
                .run(context -> assertThat(context.getBean(LockClient.class)).isSameAs(own));
    }

    static class Slow {
        final CountDownLatch started = new CountDownLatch(1);
        final CountDownLatch end = new CountDownLatch(1);

        @WithLock(name = "slow")
        public boolean work() throws InterruptedException {
            started.countDown();
            return end.await(60, TimeUnit.SECONDS) && CurrentLease.get().isValid();
        }

        CountDownLatch started() {
            return started;
        }

        CountDownLatch end() {
            return end;
        }
    }

    @Test
    @DisplayName("that ends grants no lock any more, lets the work under its locks end, and releases them")
    void shutdown() {
        String url = "sqlite:" + directory.resolve("locks.db");
        application
                .withUserConfiguration(Slow.class)
                .withPropertyValues("holdfast.url=" + url, "holdfast.shutdown-wait=60s", "holdfast.lease=10m")
                .run(context -> {
                    Slow slow = context.getBean(Slow.class);
                    LockClient client = context.getBean(LockClient.class);
                    CompletableFuture<Boolean> work = CompletableFuture.supplyAsync(() -> {
                        try {
                            return slow.work();
                        } catch (InterruptedException e) {
                            throw new IllegalStateException(e);
                        }
                    });
                    assertThat(slow.started().await(60, TimeUnit.SECONDS)).isTrue();
                    CompletableFuture<Void> closing =
                            CompletableFuture.runAsync(context.getSourceApplicationContext()::close);
                    Await.until("no lock is granted any more", () -> isRefused(client));
                    assertThat(closing).isNotDone();
                    slow.end().countDown();
                    assertThat(work).succeedsWithin(Duration.ofSeconds(60)).isEqualTo(true);
                    assertThat(closing).succeedsWithin(Duration.ofSeconds(60));
                    try (LockClient outside = LockClient.connect(url)) {
                        assertThat(outside.inspect()
                                        .get(LockKey.of("default", "slow"))
                                        .isFree())
                                .isTrue();
                    }
                });
    }

    @Test
    @DisplayName("that was stopped cannot be started again, and says so")
    void stopped() {
        application.withPropertyValues("holdfast.url=memory:").run(context -> {
            ConfigurableApplicationContext whole = context.getSourceApplicationContext();
            whole.stop();
            assertThatThrownBy(whole::start)
                    .rootCause()
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("make a new context");
        });
    }

    private static boolean isRefused(LockClient client) {
        try {
            client.tryAcquireUninterruptibly(client.key("other"), o -> {}).ifDone(Lease::close);
            return false;
        } catch (ClientClosedException e) {
            return true;
        }
    }

    @Test
    @DisplayName("has a description of each property for editors")
    void metadata() throws Exception {
        String json;
        try (var file = HoldfastProperties.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
            json = new String(file.readAllBytes(), StandardCharsets.UTF_8);
        }
        List<String> described = Pattern.compile("\"name\": \"holdfast\\.([a-z-]+)\"")
                .matcher(json)
                .results()
                .map(found -> found.group(1))
                .toList();
        List<String> there = Stream.of(HoldfastProperties.class.getRecordComponents())
                .map(RecordComponent::getName)
                .map(name -> name.equals("waitTime") ? "wait" : name.replaceAll("([A-Z])", "-$1"))
                .map(name -> name.toLowerCase(Locale.ROOT))
                .toList();
        assertThat(described).containsExactlyInAnyOrderElementsOf(there);
    }
}
