package dev.holdfast.spring;

import dev.holdfast.ClientConfig;
import dev.holdfast.LockClient;
import dev.holdfast.LockListener;
import dev.holdfast.failure.HoldfastException;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.io.ResourceLoader;
import org.springframework.util.ClassUtils;

/**
 * Makes a {@link LockClient} of {@code holdfast.url} or of the application's {@link DataSource}, and lets methods marked {@link WithLock}
 * run under locks.
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration", // Spring Boot 3
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration" // Spring Boot 4
        })
@EnableConfigurationProperties(HoldfastProperties.class)
public class HoldfastAutoConfiguration {
    private static final String JDBC = "dev.holdfast.jdbc.PostgresStore";

    @Bean
    @ConditionalOnMissingBean
    ClientConfig holdfastClientConfig(
            HoldfastProperties properties,
            ObjectProvider<ClientConfigCustomizer> customizers,
            ObjectProvider<LockListener> listeners) {
        ClientConfig config = ClientConfig.DEFAULT
                .withNamespace(properties.namespace())
                .withConnectWait(properties.connectWait())
                .withOperationTimeout(properties.operationTimeout())
                .withHistory(properties.history());
        if (!properties.owner().isEmpty()) {
            config = config.withOwner(properties.owner());
        }
        List<LockListener> all = listeners.orderedStream().toList();
        if (!all.isEmpty()) {
            config = config.withListener(new LockListeners(all));
        }
        for (ClientConfigCustomizer customizer : customizers.orderedStream().toList()) {
            config = customizer.customize(config);
        }
        return config;
    }

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    LockClient holdfastLockClient(
            HoldfastProperties properties,
            ClientConfig config,
            @HoldfastDataSource ObjectProvider<DataSource> own,
            ObjectProvider<DataSource> any,
            ResourceLoader resources) {
        if (!properties.url().isEmpty()) {
            return connect(properties.url(), config);
        }
        Optional<DataSource> marked = Optional.ofNullable(own.getIfAvailable());
        DataSource source = marked.orElseGet(() -> only(any));
        if (!ClassUtils.isPresent(JDBC, resources.getClassLoader())) {
            throw new HoldfastStartException(
                    "Locks cannot be kept in the database of the DataSource, since holdfast-jdbc is not on the class path",
                    "Add dev.holdfast:holdfast-jdbc, or set holdfast.url");
        }
        return DataSourceLocks.connect(source, config);
    }

    private static LockClient connect(String url, ClientConfig config) {
        try {
            return LockClient.connect(url, config);
        } catch (IllegalArgumentException | HoldfastException e) {
            throw new HoldfastStartException(
                    "holdfast.url does not lead to a store of locks: " + e.getMessage(),
                    "Correct holdfast.url, or start what it names; holdfast.connect-wait is how long the start waits for it",
                    e);
        }
    }

    private static DataSource only(ObjectProvider<DataSource> any) {
        DataSource source = any.getIfUnique();
        if (source == null) {
            long number = any.stream().count();
            throw new HoldfastStartException(
                    "Holdfast does not know where its locks are: there is no holdfast.url, and "
                            + (number == 0 ? "no" : "more than one (" + number + ")") + " DataSource",
                    (number == 0 ? "Set" : "Mark one DataSource bean with @HoldfastDataSource, or set")
                            + " holdfast.url, for example to postgresql://user:password@host/database or"
                            + " https://locks.example.com; memory: is enough for tests");
        }
        return source;
    }

    @Bean
    @ConditionalOnMissingBean
    LockClientShutdown holdfastShutdown(LockClient client, HoldfastProperties properties) {
        return new LockClientShutdown(client, properties.shutdownWait());
    }

    @Bean
    static WithLockPostProcessor holdfastWithLock() {
        return new WithLockPostProcessor();
    }
}
