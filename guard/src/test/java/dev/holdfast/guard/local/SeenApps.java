package dev.holdfast.guard.local;

import dev.holdfast.guard.probe.ProbeResult;
import dev.holdfast.guard.probe.ProbeStatus;
import dev.holdfast.guard.probe.Prober;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Apps that are seen as told; one of which nothing was told is up. */
final class SeenApps implements Prober {
    private final Map<String, ProbeResult> seen = new ConcurrentHashMap<>();
    private final Map<String, CompletableFuture<Void>> held = new ConcurrentHashMap<>();
    final AtomicInteger probes = new AtomicInteger();

    void are(ProbeStatus sight, String... apps) {
        for (String app : apps) {
            answers(app, sight, sight == ProbeStatus.UP ? 200 : sight == ProbeStatus.DOWN ? 503 : 0);
        }
    }

    void answers(String app, ProbeStatus sight, int code) {
        OptionalInt http = code == 0 ? OptionalInt.empty() : OptionalInt.of(code);
        seen.put(
                app,
                new ProbeResult(sight, http, Instant.now(), sight == ProbeStatus.UNKNOWN ? "timed out" : "answered"));
    }

    /** Probes of this app do not end before the future does. */
    void hold(String app, CompletableFuture<Void> until) {
        held.put(app, until);
    }

    @Override
    public CompletableFuture<ProbeResult> probe(URI url, Duration timeout) {
        probes.incrementAndGet();
        String app = url.getHost();
        CompletableFuture<Void> until = held.getOrDefault(app, CompletableFuture.completedFuture(null));
        return until.thenApply(done -> seen.getOrDefault(
                app, new ProbeResult(ProbeStatus.UP, OptionalInt.of(200), Instant.now(), "answered")));
    }

    @Override
    public void close() {}
}
