package dev.holdfast.server;

import dev.holdfast.LockClient;
import dev.holdfast.server.health.CertificateCheck;
import dev.holdfast.server.observe.audit.AuditLog;
import dev.holdfast.server.observe.metrics.BusyLocks;
import dev.holdfast.server.observe.metrics.Counts;
import dev.holdfast.server.observe.metrics.GaugeSources;
import dev.holdfast.server.observe.metrics.Meters;
import dev.holdfast.server.observe.metrics.MetersConfig;
import dev.holdfast.server.routes.EventHub;
import dev.holdfast.spi.EventLog;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.StoreTraits;
import dev.holdfast.spi.time.StoreClock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** What metrics show of the server; of parts that are made later than the metrics, nothing until they are there. */
final class ServerVitals {
    /** Counting the locks in use lists them, which is not for every scrape where each look costs money. */
    private static final Duration COUNT_REST = Duration.ofMinutes(1);

    private final AtomicInteger connections = new AtomicInteger();
    private volatile Supplier<CompletionStage<Counts>> locks =
            () -> CompletableFuture.completedStage(new Counts(0, 0, 0, true));
    private volatile LongSupplier listeners = () -> 0;
    private volatile Supplier<Optional<CertificateCheck.InUse>> certificate = Optional::empty;

    Meters meters(ServerOptions config, RecordStore store, Optional<AuditLog> audit) {
        return new Meters(
                new MetersConfig(
                        store.traits().name(),
                        config.observe().lockNameLabel(),
                        config.observe().legacyNames(),
                        ServerVersion.text(),
                        isCostly(store.traits()) ? COUNT_REST : Duration.ZERO),
                new GaugeSources(
                        () -> locks.get(),
                        () -> store instanceof EventLog log ? log.lost() : 0,
                        () -> clockError(store.clock()),
                        () -> listeners.getAsLong(),
                        connections::get,
                        () -> audit.map(AuditLog::lost).orElse(0L),
                        HealthSetup.leastFree(config),
                        this::certificateEnds));
    }

    /** Connections that are open, counted by who listens. */
    AtomicInteger connections() {
        return connections;
    }

    void are(LockClient client, EventHub hub) {
        locks = new BusyLocks(client.inspect());
        listeners = hub::size;
    }

    void listens(Listener listener) {
        certificate = listener::certificate;
    }

    Optional<CertificateCheck.InUse> certificate() {
        return certificate.get();
    }

    private double certificateEnds() {
        return certificate().map(it -> (double) it.expires().getEpochSecond()).orElse(Double.NaN);
    }

    /** Whether each look at the store costs money. */
    static boolean isCostly(StoreTraits traits) {
        return !traits.restingPoll().equals(traits.pollInterval());
    }

    static double clockError(StoreClock clock) {
        return clock.now()
                .map(now -> Duration.between(now.earliest(), now.latest()).toNanos() / 1e9)
                .orElse(Double.NaN);
    }
}
