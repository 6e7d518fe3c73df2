package dev.holdfast.spring.actuator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.spring.HoldfastAutoConfiguration;
import dev.holdfast.spring.fake.FakeLocksConfiguration;
import dev.holdfast.test.FakeLocks;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.actuate.health.Status;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

@DisplayName("The health of an application of Spring Boot 3")
class HealthOnBoot3Test {
    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(HoldfastAutoConfiguration.class, HealthOnBoot3AutoConfiguration.class))
            .withUserConfiguration(FakeLocksConfiguration.class)
            .withPropertyValues("holdfast.owner=shop-1");

    @Test
    @DisplayName("is up while the store of its locks answers, and down while it does not, with the reason")
    void health() {
        application.run(context -> {
            HealthIndicator indicator = context.getBean("holdfastHealthIndicator", HealthIndicator.class);
            Health up = indicator.health();
            assertThat(up.getStatus()).isEqualTo(Status.UP);
            assertThat(up.getDetails()).containsEntry("owner", "shop-1");
            FakeLocks locks = context.getBean(FakeLocks.class);
            try (FakeLocks.Outage outage = locks.outage()) {
                Health down = indicator.health();
                assertThat(down.getStatus()).isEqualTo(Status.DOWN);
                assertThat(down.getDetails().get("error").toString()).contains("StoreUnavailableException");
            }
            assertThat(indicator.health().getStatus()).isEqualTo(Status.UP);
        });
    }

    @Test
    @DisplayName("can leave it out")
    void off() {
        application
                .withPropertyValues("management.health.holdfast.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("holdfastHealthIndicator"));
    }
}
