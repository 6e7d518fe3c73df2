package dev.holdfast.spring.actuator;

import dev.holdfast.ClientConfig;
import dev.holdfast.LockClient;
import dev.holdfast.spring.HoldfastAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Shows locks at {@code /actuator/holdfast}, where the actuator is there and exposes it. */
@AutoConfiguration(after = HoldfastAutoConfiguration.class)
@ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
@ConditionalOnBean({LockClient.class, ClientConfig.class})
@ConditionalOnAvailableEndpoint(HoldfastEndpoint.class)
public class HoldfastEndpointAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean
    HoldfastEndpoint holdfastEndpoint(LockClient client, ClientConfig config) {
        return new HoldfastEndpoint(client, config);
    }
}
