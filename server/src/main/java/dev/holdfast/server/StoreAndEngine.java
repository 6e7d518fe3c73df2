package dev.holdfast.server;

import dev.holdfast.ClientConfig;
import dev.holdfast.LockClient;
import dev.holdfast.LockService;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.DocumentStores;
import dev.holdfast.internal.engine.LockEngine;
import dev.holdfast.server.observe.audit.AuditConfig;
import dev.holdfast.server.observe.audit.AuditLog;
import dev.holdfast.server.observe.audit.AuditTrail;
import dev.holdfast.server.observe.load.HotLocks;
import dev.holdfast.server.observe.load.MeterFork;
import dev.holdfast.server.observe.load.SlowOperations;
import dev.holdfast.server.observe.load.StoreOutcomes;
import dev.holdfast.server.observe.load.WatchedDocuments;
import dev.holdfast.server.observe.logs.LineLimit;
import dev.holdfast.server.observe.metrics.Meters;
import dev.holdfast.server.observe.tracing.Tracing;
import dev.holdfast.server.routes.EventHub;
import dev.holdfast.spi.RecordStore;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The engine on its store, and what observes it: all that a server has below its calls. Each part is opened after those it needs. */
final class StoreAndEngine {
    final LineLimit lines = new LineLimit(System::nanoTime);
    final HotLocks hot = new HotLocks(System::nanoTime);
    final StoreOutcomes outcomes = new StoreOutcomes();
    final ServerVitals vitals = new ServerVitals();
    final SlowOperations slow;
    final Optional<AuditLog> audit;
    final Meters meters;
    final Tracing tracing;
    final EventFollowers followers;
    final LockEngine engine;
    final AuditTrail trail;
    final LockClient client;
    final EventHub hub;

    private final String store;

    StoreAndEngine(ServerOptions config, RecordStore store, Vertx vertx, ClosingSteps opened) {
        this.store = config.store();
        Runnable closingStore = opened.closing(store::close);
        ServerOptions.Observe observe = config.observe();
        this.audit = observe.audit().map(to -> opened.with(open(to), AuditLog::close));
        this.meters = opened.with(vitals.meters(config, store, audit), Meters::close);
        this.tracing = opened.with(Tracing.start(observe.tracing()), Tracing::close);
        this.followers = opened.with(new EventFollowers(vertx), EventFollowers::close);
        opened.closing(lines::close);
        this.slow = new SlowOperations(observe.watching().slowAfter(), Clock.systemUTC(), lines);
        this.engine = opened.with(
                LockEngine.start(
                        store, config.engine(), new MeterFork(List.of(meters, slow, hot, outcomes)), Optional.empty()),
                LockEngine::close);
        opened.handedOver(closingStore);
        this.trail = opened.with(new AuditTrail(audit, engine, meters, Clock.systemUTC()), AuditTrail::close);
        this.client = LockService.of(engine).client(ClientConfig.DEFAULT.withOwner(observe.node()));
        this.hub = opened.with(new EventHub(engine, config.engine().history()), EventHub::close);
        vitals.are(client, hub);
    }

    private static AuditLog open(AuditConfig config) {
        try {
            return AuditLog.open(config);
        } catch (IOException e) {
            throw new UncheckedIOException("The audit log cannot be opened: " + e.getMessage(), e);
        }
    }

    /** The documents beside the locks, opened in one attempt. */
    DocumentStore documentsBesideLocks() {
        return new WatchedDocuments(DocumentStores.open(store, Duration.ZERO), slow);
    }
}
