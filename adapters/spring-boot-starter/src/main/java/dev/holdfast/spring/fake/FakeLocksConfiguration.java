package dev.holdfast.spring.fake;

import dev.holdfast.ClientConfig;
import dev.holdfast.LockClient;
import dev.holdfast.test.FakeLocks;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Fake locks instead of those that the application would have, for the same settings. */
@Configuration(proxyBeanMethods = false)
public class FakeLocksConfiguration {
    @Bean
    FakeLocks fakeLocks(ClientConfig config) {
        return new FakeLocks(config);
    }

    @Bean(destroyMethod = "")
    LockClient fakeLockClient(FakeLocks locks) {
        return locks.client();
    }
}
