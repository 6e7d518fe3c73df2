package dev.holdfast.server;

import dev.holdfast.ClientConfig;
import dev.holdfast.LockClient;
import dev.holdfast.LockService;
import dev.holdfast.Stores;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.DocumentStores;
import dev.holdfast.internal.engine.EventFeed;
import dev.holdfast.internal.engine.LockEngine;
import dev.holdfast.model.RecordKey;
import dev.holdfast.server.about.AboutRoutes;
import dev.holdfast.server.about.ServerFacts;
import dev.holdfast.server.admin.AdminRoutes;
import dev.holdfast.server.admin.NotifyTestRoute;
import dev.holdfast.server.auth.RateLimit;
import dev.holdfast.server.auth.login.Authenticator;
import dev.holdfast.server.backup.BackupRoute;
import dev.holdfast.server.backup.BackupSources;
import dev.holdfast.server.config.Settings;
import dev.holdfast.server.dashboard.DashboardRoutes;
import dev.holdfast.server.demo.DemoApps;
import dev.holdfast.server.demo.DemoPast;
import dev.holdfast.server.demo.DemoStates;
import dev.holdfast.server.demo.DemoTraffic;
import dev.holdfast.server.docs.ApiDocs;
import dev.holdfast.server.guard.GuardMeters;
import dev.holdfast.server.guard.GuardRoutes;
import dev.holdfast.server.guard.GuardService;
import dev.holdfast.server.health.CertificateCheck;
import dev.holdfast.server.health.HealthChecks;
import dev.holdfast.server.health.HealthPart;
import dev.holdfast.server.health.HealthRoutes;
import dev.holdfast.server.http.Later;
import dev.holdfast.server.http.Route;
import dev.holdfast.server.http.Routes;
import dev.holdfast.server.http.edge.Hosts;
import dev.holdfast.server.http.edge.HttpEdge;
import dev.holdfast.server.http.edge.RemoteAddresses;
import dev.holdfast.server.notify.Notifications;
import dev.holdfast.server.notify.Notifier;
import dev.holdfast.server.notify.NotifyOptions;
import dev.holdfast.server.observe.audit.AuditConfig;
import dev.holdfast.server.observe.audit.AuditLog;
import dev.holdfast.server.observe.audit.AuditTrail;
import dev.holdfast.server.observe.load.HotLocks;
import dev.holdfast.server.observe.load.MeterFork;
import dev.holdfast.server.observe.load.SlowOperations;
import dev.holdfast.server.observe.load.StoreOutcomes;
import dev.holdfast.server.observe.load.WatchedDocuments;
import dev.holdfast.server.observe.logs.LineLimit;
import dev.holdfast.server.observe.logs.LogLevels;
import dev.holdfast.server.observe.metrics.BusyLocks;
import dev.holdfast.server.observe.metrics.Counts;
import dev.holdfast.server.observe.metrics.Meters;
import dev.holdfast.server.observe.metrics.MetersConfig;
import dev.holdfast.server.observe.metrics.Vitals;
import dev.holdfast.server.observe.tracing.Tracing;
import dev.holdfast.server.overview.OverviewRoute;
import dev.holdfast.server.routes.EventHub;
import dev.holdfast.server.routes.EventsRoute;
import dev.holdfast.server.routes.LockQuota;
import dev.holdfast.server.routes.Locks;
import dev.holdfast.server.routes.RouteTable;
import dev.holdfast.server.routes.Waiters;
import dev.holdfast.server.state.StaleWatch;
import dev.holdfast.server.tokens.StoredTokens;
import dev.holdfast.server.tokens.TokenRoutes;
import dev.holdfast.spi.EventLog;
import dev.holdfast.spi.EventLog.StoredEvent;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.StoreTraits;
import dev.holdfast.spi.time.StoreClock;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A lock server: an engine on a store, and an HTTP edge before it. Starting blocks until it listens; closing stops intake, tells
 * waiters to come back, lets what is under way end, and closes the store.
 */
public final class HoldfastServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HoldfastServer.class);
    /** Where changes of tokens are noted. */
    private static final RecordKey TOKENS = new RecordKey("holdfast", "tokens");

    private static final long FOLLOW_AGAIN_MILLIS = 1_000;
    /** Counting the locks in use lists them, which is not for every scrape where each look costs money. */
    private static final Duration COUNT_REST = Duration.ofMinutes(1);

    private final ServerOptions config;
    private final Vertx vertx = Vertx.vertx(new VertxOptions().setWarningExceptionTime(200_000_000L));
    private final LockEngine engine;
    private final Meters meters;
    private final Tracing tracing;
    private final Optional<AuditLog> audit;
    private final AuditTrail trail;
    private final List<EventFeed.Feed> feeds = new CopyOnWriteArrayList<>();
    private final ClosingSteps opened = new ClosingSteps();
    private final Authenticator authenticator;
    private final EventsRoute events;
    private final Locks locks;
    private final StateParts stateParts;
    private final GuardService guarding;
    private final LineLimit lines = new LineLimit(System::nanoTime);
    private final LogLevels levels;
    private final HealthChecks health;
    private final Notifications notifications;
    private final Listener listener;
    private volatile Runnable reload = () -> {};
    private volatile boolean stopping;

    /** Each part is opened after those it needs; {@code opened} closes them in the opposite order. */
    private HoldfastServer(ServerOptions config, RecordStore store, List<Route> more) {
        this.config = config;
        opened.closing(
                () -> vertx.close().toCompletionStage().toCompletableFuture().join());
        Runnable closingStore = opened.closing(store::close);
        try {
            List<Route> calls = new ArrayList<>(more);
            LateVitals late = new LateVitals();
            AtomicInteger connections = new AtomicInteger();
            this.audit = config.observe().audit().map(to -> opened.with(open(to), AuditLog::close));
            this.meters = opened.with(meters(store, late, connections), Meters::close);
            this.tracing = opened.with(Tracing.start(config.observe().tracing()), Tracing::close);
            opened.closing(
                    () -> feeds.forEach(EventFeed.Feed::close)); // after the engine: what it does at its end is told
            opened.closing(lines::close);
            SlowOperations slow = new SlowOperations(config.observe().watching().slowAfter(), Clock.systemUTC(), lines);
            HotLocks hot = new HotLocks(System::nanoTime);
            StoreOutcomes outcomes = new StoreOutcomes();
            this.engine = opened.with(
                    LockEngine.start(
                            store,
                            config.engine(),
                            new MeterFork(List.of(meters, slow, hot, outcomes)),
                            Optional.empty()),
                    LockEngine::close);
            opened.handedOver(closingStore);
            this.trail = opened.with(new AuditTrail(audit, engine, meters, Clock.systemUTC()), AuditTrail::close);
            LockClient client = client(config, engine);
            EventHub hub = opened.with(new EventHub(engine, config.engine().history()), EventHub::close);
            late.are(client, hub);
            this.events = new EventsRoute(hub, config.events());
            this.authenticator = opened.with(Authenticator.of(config.auth()), Authenticator::close);
            calls.addAll(opened.with(tokens(slow), TokenRoutes::close).routes());
            calls.addAll(about(config, store.traits()).routes());
            this.locks = locks(client);
            this.stateParts = new StateParts(config, opened, slow);
            calls.addAll(stateParts.routes(locks));
            StaleWatch stale =
                    opened.with(new StaleWatch(engine, config.engine().staleAfter()), StaleWatch::close);
            this.guarding = opened.with(
                    GuardService.start(config.guard(), config.store(), client, new GuardMeters(meters, tracing), slow),
                    GuardService::close);
            calls.addAll(opened.with(new GuardRoutes(guarding, trail), GuardRoutes::close)
                    .routes());
            BackupRoute backup =
                    new BackupRoute(store, client, backupSources(config), "holdfast " + ServerVersion.text());
            calls.add(opened.with(backup, BackupRoute::close).route());
            this.levels = opened.with(
                    new LogLevels(config.observe().watching().logLevel(), Clock.systemUTC()), LogLevels::close);
            HealthSetup looks = new HealthSetup(config, store, engine, outcomes);
            this.health = opened.with(
                    looks.checks(stateParts, guarding, late::certificate, this::notReady), HealthChecks::close);
            AdminRoutes admin =
                    new AdminRoutes(levels, trail, slow, hot, looks.facts(stateParts, this::waitingRequests));
            calls.addAll(opened.with(admin, AdminRoutes::close).routes());
            calls.add(opened.with(new NotifyTestRoute(this::told), NotifyTestRoute::close)
                    .route());
            this.listener = new Listener(vertx, config, edge(calls), authenticator, connections, trail);
            late.listens(listener);
            opened.closing(() -> listener.close(config.grace()));
            health.start(lines::look);
            followEvents(store.traits(), stale, stateParts);
            this.notifications = opened.with(notifications(store, client, slow), Notifications::close);
        } catch (RuntimeException | Error e) {
            closeAfter(e);
            throw e;
        }
    }

    private BackupSources backupSources(ServerOptions config) {
        return new BackupSources(
                config.store(),
                config.state().store().orElse(config.store()),
                config.guard().store().orElse(config.store()),
                stateParts.documents());
    }

    private Meters meters(RecordStore store, LateVitals late, AtomicInteger connections) {
        return new Meters(
                new MetersConfig(
                        store.traits().name(),
                        config.observe().lockNameLabel(),
                        config.observe().legacyNames(),
                        ServerVersion.text(),
                        isCostly(store.traits()) ? COUNT_REST : Duration.ZERO),
                new Vitals(
                        late::counts,
                        () -> store instanceof EventLog log ? log.lost() : 0,
                        () -> clockError(store.clock()),
                        late::eventClients,
                        connections::get,
                        () -> audit.map(AuditLog::lost).orElse(0L),
                        HealthSetup.leastFree(config),
                        late::certificateEnds));
    }

    private static LockClient client(ServerOptions config, LockEngine engine) {
        return LockService.of(engine)
                .client(ClientConfig.DEFAULT.withOwner(config.observe().node()));
    }

    private Locks locks(LockClient client) {
        return new Locks(
                engine,
                client,
                meters,
                tracing,
                new Waiters(config.waitersPerNamespace(), config.limits().waitersPerPrincipal()),
                new LockQuota(
                        config.limits().locksPerPrincipal(), config.engine().retention(), System::nanoTime),
                config.bounds(),
                trail);
    }

    private void followEvents(StoreTraits store, StaleWatch stale, StateParts stateParts) {
        audit.ifPresent(log -> follow("audit", trail::happened));
        if (!isCostly(store)) {
            follow("stale deployment locks", stale::happened);
            stale.start();
        } else {
            stale.startUntold(); // each look at the log of events would cost money
        }
        stateParts.lockFiles().ifPresent(files -> follow("lock files", files::happened));
        if (config.observe().tracing().endpoint().isPresent()) {
            follow("tracing", event -> tracing.happened(event.event()));
        }
    }

    private Notifications notifications(RecordStore store, LockClient client, SlowOperations slow) {
        NotifyOptions options = config.notifications();
        if (!options.webhooks().isEmpty() && !(store instanceof EventLog)) {
            LOG.warn(
                    "The {} store keeps no events, so webhooks only report long waits",
                    store.traits().name());
        }
        boolean sparing = isCostly(store.traits()) && options.pace().equals(NotifyOptions.Pace.USUAL);
        return new Notifications(
                sparing ? options.at(NotifyOptions.Pace.SPARING) : options,
                new Notifier.Parts(engine, client, () -> besideLocks(slow), meters.notifications()));
    }

    private NotifyOptions told() {
        return notifications.options();
    }

    /** What metrics show of parts that are made later than the metrics themselves; nothing until then. */
    private static final class LateVitals {
        private volatile Supplier<CompletionStage<Counts>> locks =
                () -> CompletableFuture.completedStage(new Counts(0, 0, 0, true));
        private volatile LongSupplier listeners = () -> 0;
        private volatile Supplier<Optional<CertificateCheck.InUse>> certificate = Optional::empty;

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

        double certificateEnds() {
            return certificate()
                    .map(it -> (double) it.expires().getEpochSecond())
                    .orElse(Double.NaN);
        }

        CompletionStage<Counts> counts() {
            return locks.get();
        }

        long eventClients() {
            return listeners.getAsLong();
        }
    }

    private static AboutRoutes about(ServerOptions config, StoreTraits store) {
        ServerOptions.Observe observe = config.observe();
        return new AboutRoutes(
                new ServerFacts(
                        observe.node(),
                        ServerVersion.text(),
                        store.name(),
                        !store.exclusive() && !store.name().equals("memory"), // which no other process can see
                        observe.metrics() != RouteTable.MetricsAccess.NOBODY,
                        Instant.now(),
                        System.nanoTime()),
                observe.settings(),
                observe.notes());
    }

    /** The documents beside the locks, opened in one attempt. */
    private DocumentStore besideLocks(SlowOperations slow) {
        return new WatchedDocuments(DocumentStores.open(config.store(), Duration.ZERO), slow);
    }

    /** Tokens made while it runs; none where nobody is asked for one. */
    private TokenRoutes tokens(SlowOperations slow) {
        Optional<StoredTokens> stored = Optional.empty();
        if (authenticator.asks()) {
            authenticator.expectStoredTokens();
            stored = Optional.of(opened.with(
                    StoredTokens.start(() -> besideLocks(slow), authenticator::storedTokens), StoredTokens::close));
        }
        return new TokenRoutes(
                authenticator,
                stored,
                (type, caller, id) -> trail.changed(type, TOKENS, caller, Map.of("id", id)),
                Clock.systemUTC());
    }

    /**
     * Follows what may change in the configuration, tokens, webhooks and the log level, from now on, until it is closed.
     *
     * @param settings what it was started with
     * @param load reads them again from the same places; throws {@link dev.holdfast.server.config.ConfigProblems} if something is wrong
     */
    public void followSettings(Settings settings, Supplier<Settings> load) {
        ConfigReload following = new ConfigReload(
                settings,
                load,
                new ConfigReload.Parts(authenticator, levels, this::told, notifications::use, trail::record));
        opened.closing(following::close);
        following.start(ConfigReload.EVERY);
        reload = following::reload;
    }

    /** Looks now at what it follows anyway: tokens, webhooks and log level in the configuration, and the files of certificates. */
    public void reload() {
        LOG.info("Reading tokens, webhooks, log level and certificates again");
        reload.run();
        listener.reload();
    }

    /** Hands on every event from now on; a store that cannot be read at the start is asked again. */
    private void follow(String what, Consumer<StoredEvent> listener) {
        EventFeed.Feed feed = engine.watch(listener);
        feeds.add(feed);
        Later.then(feed.ready(), (ready, failure) -> {
            if (failure != null && !stopping) {
                LOG.warn("Events cannot be followed for {} yet, trying again: {}", what, failure.getMessage());
                feeds.remove(feed);
                vertx.setTimer(FOLLOW_AGAIN_MILLIS, timer -> follow(what, listener));
            }
        });
    }

    /** The failure is what matters; what goes wrong after it is told with it. */
    private void closeAfter(Throwable failure) {
        try {
            opened.close();
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    /**
     * Starts, and returns when it listens.
     *
     * @throws dev.holdfast.spi.StoreException if the store cannot be opened
     * @throws IllegalArgumentException if it cannot listen, or a file is wrong
     */
    public static HoldfastServer start(ServerOptions config) {
        checkAddress(config);
        return start(config, Stores.open(config.store()), List.of());
    }

    /**
     * Starts one that shows made-up data, which live in memory and end with it.
     *
     * @param config with everything {@link ServerOptions#inMemory() in memory}
     */
    public static HoldfastServer startDemo(ServerOptions config) {
        checkAddress(config);
        DemoApps apps = DemoApps.start();
        HoldfastServer server = startDemo(config, apps);
        try {
            DemoStates.fill(server.stateParts.documents(), config.state().keeping());
            server.opened.with(
                    DemoTraffic.start(
                            server.engine, server.meters, server.stateParts.states(), server.guarding::guard, apps),
                    DemoTraffic::close);
            return server;
        } catch (RuntimeException e) {
            server.closeAfter(e);
            throw e;
        }
    }

    private static HoldfastServer startDemo(ServerOptions config, DemoApps apps) {
        try {
            return start(
                    config.with(config.guard().with(DemoApps.WEBHOOK, apps.webhook())), DemoPast.store(), List.of());
        } catch (RuntimeException e) {
            apps.close();
            throw e;
        }
    }

    /**
     * Finds out whether it could listen, before anything is opened or written.
     *
     * @throws IllegalArgumentException if not, with the reason and what to do
     */
    public static void checkAddress(ServerOptions config) {
        ListenAddress.of(config.listen()).check();
    }

    /** Starts on this store, which it closes, with more calls than its own. */
    public static HoldfastServer start(ServerOptions config, RecordStore store, List<Route> more) {
        HoldfastServer server = new HoldfastServer(config, store, more);
        try {
            server.listener.start();
            return server;
        } catch (RuntimeException e) {
            server.closeAfter(e);
            throw e;
        }
    }

    private HttpEdge edge(List<Route> calls) {
        calls.addAll(new RouteTable(locks, events, config.observe().metrics()).all());
        calls.addAll(new HealthRoutes(health).routes());
        calls.add(new OverviewRoute(locks, health).route());
        calls.addAll(ApiDocs.routes());
        if (config.observe().dashboard().enabled()) {
            calls.addAll(DashboardRoutes.routes(config.observe().dashboard()));
        } else {
            calls.add(ApiDocs.home());
        }
        return new HttpEdge(new HttpEdge.Parts(
                new Routes(calls),
                config.limits(),
                authenticator,
                new RateLimit(config.rate(), System::nanoTime),
                meters,
                tracing,
                trail,
                hosts(config),
                RemoteAddresses.behind(config.listen().trustedProxies()),
                lines));
    }

    /** Why it wants no requests, however well its parts are. */
    private Optional<String> notReady() {
        return stopping ? Optional.of("the server is stopping") : Optional.empty();
    }

    /** One that asks nobody must not answer to a name that a web page points at it. */
    private static Hosts hosts(ServerOptions config) {
        if (config.auth().asks()) {
            return Hosts.ANY;
        }
        List<String> names = new ArrayList<>(config.listen().allowedHosts());
        names.add(config.listen().host());
        return Hosts.only(names);
    }

    public int port() {
        return listener.port();
    }

    /** Logs what this server does not do though somebody may expect it; for after the line that says where it listens. */
    public void sayWhatIsNotDone() {
        guarding.sayWhatIsNotDone();
    }

    public List<Route> routes() {
        return listener.edge().routes();
    }

    public LockEngine engine() {
        return engine;
    }

    int waitingRequests() {
        return locks.waiters().size();
    }

    public ServerOptions options() {
        return config;
    }

    /** How state stands; looks, for a second or two at most. */
    public HealthPart stateHealth() {
        return health.state().join();
    }

    public boolean guardRecordsOnly() {
        return guarding.recordsOnly();
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

    private static AuditLog open(AuditConfig config) {
        try {
            return AuditLog.open(config);
        } catch (IOException e) {
            throw new UncheckedIOException("The audit log cannot be opened: " + e.getMessage(), e);
        }
    }

    /** Stops: no new requests, waiters told to come back, the rest ends within the grace. */
    @Override
    public void close() {
        if (stopping) {
            return;
        }
        stopping = true;
        try {
            listener.stopIntake();
            events.stop();
            locks.waiters().tellAll();
        } finally {
            opened.close();
        }
    }
}
