package dev.holdfast.server.notify;

import dev.holdfast.ClientConfig;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.LockService;
import dev.holdfast.Stores;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.DocumentStores;
import dev.holdfast.internal.engine.EngineConfig;
import dev.holdfast.internal.engine.LockEngine;
import dev.holdfast.model.LockKey;
import dev.holdfast.server.observe.metrics.Counts;
import dev.holdfast.server.observe.metrics.GaugeSources;
import dev.holdfast.server.observe.metrics.Meters;
import dev.holdfast.server.observe.metrics.MetersConfig;
import dev.holdfast.testkit.Await;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** A replica without HTTP: an engine on a store, and whoever tells webhooks. It does not sweep: only what is looked for is found. */
final class NotifyWorld implements AutoCloseable {
    static final NotifyOptions.Pace QUICK = new NotifyOptions.Pace(
            Duration.ofMillis(20),
            Duration.ofMillis(50),
            Duration.ofMillis(10),
            Duration.ofMillis(40),
            Duration.ofMillis(50),
            Duration.ofSeconds(30));

    final LockEngine engine;
    final LockClient client;
    private final String store;
    private final Meters meters = new Meters(
            new MetersConfig("test", false, false, "1", Duration.ofHours(1)),
            new GaugeSources(
                    () -> CompletableFuture.completedFuture(new Counts(0, 0, 0, true)),
                    () -> 0,
                    () -> 0,
                    () -> 0,
                    () -> 0,
                    () -> 0,
                    () -> Double.NaN,
                    () -> Double.NaN));
    private Optional<Notifier> notifier = Optional.empty();

    private NotifyWorld(String store, EngineConfig config) {
        this.store = store;
        this.engine = LockEngine.start(Stores.open(store), config.withSweepEvery(Duration.ofHours(1)));
        this.client = LockService.of(engine).client(ClientConfig.DEFAULT.withOwner("worker"));
    }

    static NotifyWorld on(String store) {
        return new NotifyWorld(store, EngineConfig.DEFAULT);
    }

    static NotifyWorld on(String store, EngineConfig config) {
        return new NotifyWorld(store, config);
    }

    static NotifyOptions options(Webhook... webhooks) {
        return new NotifyOptions(
                List.of(webhooks), Duration.ofHours(1), Duration.ofSeconds(20), Duration.ofHours(1), QUICK);
    }

    NotifyWorld telling(Webhook... webhooks) {
        return telling(options(webhooks));
    }

    NotifyWorld telling(NotifyOptions options) {
        return telling(options, () -> DocumentStores.open(store));
    }

    /** Begins to tell, with these documents of the store; returns when everything that happens from now on will be told by somebody. */
    NotifyWorld telling(NotifyOptions options, Supplier<DocumentStore> documents) {
        notifier = Optional.of(
                Notifier.start(options, new Notifier.NotifierParts(engine, client, documents, meters.notifications())));
        try (DocumentStore positions = DocumentStores.open(store)) {
            for (Webhook webhook : options.webhooks()) {
                Await.until(
                        "there is a position of " + webhook,
                        () -> positions.look(PositionDocument.name(webhook)).isPresent());
            }
        }
        return this;
    }

    /** Ends telling, and only that. */
    void quiet() {
        notifier.ifPresent(Notifier::close);
        notifier = Optional.empty();
    }

    /** An operator ends a hold of this lock. */
    NotifyWorld force(String name) throws InterruptedException {
        return force("default", name);
    }

    NotifyWorld force(String namespace, String name) throws InterruptedException {
        LockKey key = LockKey.of(namespace, name);
        try (Lease lease = client.acquire(key)) {
            lease.onLost(reason -> {});
            client.inspect().forceUnlock(key, lease.token(), "stuck");
        }
        return this;
    }

    /** A value of the metrics. */
    double metric(String sample) {
        return meters.scrape()
                .toCompletableFuture()
                .join()
                .lines()
                .filter(line -> line.startsWith(sample + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + sample));
    }

    double deliveries(String webhook, String outcome) {
        return metric("holdfast_notify_deliveries_total{outcome=\"" + outcome + "\",webhook=\"" + webhook + "\"}");
    }

    boolean isSender() {
        return metric("holdfast_notify_sender") == 1;
    }

    @Override
    public void close() {
        quiet();
        engine.close();
        meters.close();
    }
}
