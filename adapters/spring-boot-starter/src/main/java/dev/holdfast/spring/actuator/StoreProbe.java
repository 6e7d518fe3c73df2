package dev.holdfast.spring.actuator;

import dev.holdfast.ClientConfig;
import dev.holdfast.LockClient;
import dev.holdfast.failure.HoldfastException;
import dev.holdfast.spi.ScanRequest;
import java.util.Map;
import java.util.Optional;

/** Asks the store for one lock in use, as an answer to whether it answers. */
final class StoreProbe {
    private final LockClient client;
    private final ClientConfig config;

    StoreProbe(LockClient client, ClientConfig config) {
        this.client = client;
        this.config = config;
    }

    /** Why locks do not work at the moment; empty if they do. */
    Optional<HoldfastException> failure() {
        try {
            client.inspect().list(ScanRequest.all().busy().limit(1));
            return Optional.empty();
        } catch (HoldfastException e) {
            return Optional.of(e);
        }
    }

    /** What is shown beside the answer. */
    Map<String, Object> details() {
        return Map.of("owner", config.owner(), "namespace", config.namespace());
    }
}
