package dev.holdfast.spring.actuator;

import dev.holdfast.ClientConfig;
import dev.holdfast.LockClient;
import dev.holdfast.spring.HoldfastAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Whether the store of the locks answers, as a part of the health that Spring Boot 3 shows. */
@AutoConfiguration(after = HoldfastAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean({LockClient.class, ClientConfig.class})
@ConditionalOnEnabledHealthIndicator("holdfast")
public class HealthOnBoot3AutoConfiguration {
    @Bean
    @ConditionalOnMissingBean(name = "holdfastHealthIndicator")
    HealthIndicator holdfastHealthIndicator(LockClient client, ClientConfig config) {
        StoreProbe check = new StoreProbe(client, config);
        return () -> check.failure()
                .map(Health::down)
                .orElseGet(Health::up)
                .withDetails(check.details())
                .build();
    }
}
