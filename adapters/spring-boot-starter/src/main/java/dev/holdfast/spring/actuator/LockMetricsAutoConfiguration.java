package dev.holdfast.spring.actuator;

import dev.holdfast.micrometer.HoldfastMetrics;
import dev.holdfast.spring.HoldfastAutoConfiguration;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Measures the locks of the application, where it has a registry of meters and holdfast-micrometer. */
@AutoConfiguration(
        before = HoldfastAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration", // Spring
            // Boot 3
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration" // Spring Boot 4
        })
@ConditionalOnClass({MeterRegistry.class, HoldfastMetrics.class})
@ConditionalOnBean(MeterRegistry.class)
public class LockMetricsAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean
    HoldfastMetrics holdfastMetrics(MeterRegistry registry) {
        return HoldfastMetrics.on(registry);
    }
}
