package dev.holdfast.spring.actuator;

import dev.holdfast.ClientConfig;
import dev.holdfast.LockClient;
import dev.holdfast.failure.HoldfastException;
import dev.holdfast.spi.ScanRequest;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Asks the store for one lock in use, as an answer to whether it answers. */
record StoreProbe(LockClient client, ClientConfig config) {
    /** Shorter than a client tries again on a failing store (10 s): whoever asks for health does not wait so long. */
    static final Duration PATIENCE = Duration.ofSeconds(3);

    /** Why locks do not work at the moment; empty if they do. */
    Optional<Exception> failure() {
        try {
            client.inspect()
                    .listAsync(ScanRequest.all().busy().limit(1))
                    .orTimeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                    .join();
            return Optional.empty();
        } catch (CompletionException e) {
            return Optional.of(
                    e.getCause() instanceof TimeoutException
                            ? new TimeoutException(
                                    "The store of the locks has not answered for " + PATIENCE.toSeconds() + " s")
                            : e.getCause() instanceof HoldfastException failure ? failure : e);
        } catch (HoldfastException e) {
            return Optional.of(e);
        }
    }

    /** What is shown beside the answer. */
    Map<String, Object> details() {
        return Map.of("owner", config.owner(), "namespace", config.namespace());
    }
}
