package dev.holdfast.guard.probe;

import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Looks at an app from outside. Safe for any thread; any number of probes at once. */
public interface Prober extends AutoCloseable {
    /** Looks at it once, within the timeout. Never fails: what goes wrong is {@link ProbeStatus#UNKNOWN} with the detail. */
    CompletableFuture<ProbeResult> probe(URI url, Duration timeout);

    @Override
    void close();
}
