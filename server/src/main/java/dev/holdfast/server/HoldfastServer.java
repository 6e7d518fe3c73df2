package dev.holdfast.server;

import dev.holdfast.Stores;
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
import dev.holdfast.server.demo.DemoStates;
import dev.holdfast.server.demo.DemoTraffic;
import dev.holdfast.server.docs.ApiDocs;
import dev.holdfast.server.guard.GuardMeters;
import dev.holdfast.server.guard.GuardRoutes;
import dev.holdfast.server.guard.GuardService;
import dev.holdfast.server.health.HealthChecks;
import dev.holdfast.server.health.HealthPart;
import dev.holdfast.server.health.HealthRoutes;
import dev.holdfast.server.http.Blocking;
import dev.holdfast.server.http.Route;
import dev.holdfast.server.http.Routes;
import dev.holdfast.server.http.edge.Hosts;
import dev.holdfast.server.http.edge.HttpEdge;
import dev.holdfast.server.http.edge.RemoteAddresses;
import dev.holdfast.server.notify.Notifications;
import dev.holdfast.server.notify.Notifier;
import dev.holdfast.server.notify.NotifyOptions;
import dev.holdfast.server.observe.logs.LogLevels;
import dev.holdfast.server.overview.OverviewRoute;
import dev.holdfast.server.routes.EventsRoute;
import dev.holdfast.server.routes.LockCalls;
import dev.holdfast.server.routes.LockQuota;
import dev.holdfast.server.routes.RouteTable;
import dev.holdfast.server.routes.Waiters;
import dev.holdfast.server.state.StaleWatch;
import dev.holdfast.server.tokens.StoredTokens;
import dev.holdfast.server.tokens.TokenRoutes;
import dev.holdfast.spi.EventLog.StoredEvent;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.StoreTraits;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
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

    private final ServerOptions config;
    private final Vertx vertx = Vertx.vertx(new VertxOptions().setWarningExceptionTime(200_000_000L));
    private final ClosingSteps opened = new ClosingSteps();
    private final StoreAndEngine below;
    private final Authenticator authenticator;
    private final EventsRoute events;
    private final LockCalls locks;
    private final StateParts stateParts;
    private final GuardService guarding;
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
        try {
            this.below = new StoreAndEngine(config, store, vertx, opened);

            this.events = new EventsRoute(below.hub, config.events());
            this.authenticator = opened.with(Authenticator.of(config.auth()), Authenticator::close);
            List<Route> calls = new ArrayList<>(more);
            calls.addAll(opened.with(tokens(), TokenRoutes::close).routes());
            calls.addAll(about(config, store.traits()).routes());

            this.locks = locks();
            this.stateParts = new StateParts(config, opened, below.slow);
            calls.addAll(stateParts.routes(locks));
            StaleWatch stale =
                    opened.with(new StaleWatch(below.engine, config.engine().staleAfter()), StaleWatch::close);
            this.guarding = opened.with(guard(), GuardService::close);
            calls.addAll(opened.with(new GuardRoutes(guarding, below.trail), GuardRoutes::close)
                    .routes());
            calls.add(backup(store).route());

            this.levels = opened.with(
                    new LogLevels(config.observe().watching().logLevel(), Clock.systemUTC()), LogLevels::close);
            HealthSetup looks = new HealthSetup(config, store, below.engine, below.outcomes);
            this.health = opened.with(
                    looks.checks(stateParts, guarding, below.vitals::certificate, this::notReady), HealthChecks::close);
            calls.addAll(admin(looks).routes());
            calls.add(new NotifyTestRoute(this::told, threads("notify-test", 1, 4)).route());

            this.listener =
                    new Listener(vertx, config, edge(calls), authenticator, below.vitals.connections(), below.trail);
            below.vitals.listens(listener);
            opened.closing(() -> listener.close(config.grace()));
            health.start(below.lines::look);
            followEvents(store.traits(), stale);
            this.notifications = opened.with(notifications(store), Notifications::close);
        } catch (RuntimeException | Error e) {
            closeAfter(e);
            throw e;
        }
    }

    private Blocking threads(String name, int most, int waiting) {
        return opened.with(new Blocking(name, most, waiting), threads -> threads.close(Duration.ZERO));
    }

    private GuardService guard() {
        return GuardService.start(
                config.guard(), config.store(), below.client, new GuardMeters(below.meters, below.tracing), below.slow);
    }

    private BackupRoute backup(RecordStore store) {
        BackupSources sources = new BackupSources(
                config.store(),
                config.state().store().orElse(config.store()),
                config.guard().store().orElse(config.store()),
                stateParts.documents());
        return new BackupRoute(
                store, below.client, sources, "holdfast " + ServerVersion.text(), threads("backup", 1, 4));
    }

    private AdminRoutes admin(HealthSetup looks) {
        return new AdminRoutes(
                levels,
                below.trail,
                below.slow,
                below.hot,
                looks.facts(stateParts, this::waitingRequests),
                threads("admin", 1, 8));
    }

    private LockCalls locks() {
        return new LockCalls(
                below.engine,
                below.client,
                below.meters,
                below.tracing,
                new Waiters(config.waitersPerNamespace(), config.limits().waitersPerPrincipal()),
                new LockQuota(
                        config.limits().locksPerPrincipal(), config.engine().retention(), System::nanoTime),
                config.bounds(),
                below.trail);
    }

    private void followEvents(StoreTraits store, StaleWatch stale) {
        below.audit.ifPresent(log -> follow("audit", below.trail::happened));
        if (!ServerVitals.isCostly(store)) {
            follow("stale deployment locks", stale::happened);
            stale.start();
        } else {
            stale.startUntold(); // each look at the log of events would cost money
        }
        stateParts.lockFiles().ifPresent(files -> follow("lock files", files::happened));
        if (config.observe().tracing().endpoint().isPresent()) {
            follow("tracing", event -> below.tracing.happened(event.event()));
        }
    }

    private void follow(String what, Consumer<StoredEvent> listener) {
        below.followers.follow(below.engine, what, listener);
    }

    private Notifications notifications(RecordStore store) {
        return new Notifications(
                NotifySetup.paced(config.notifications(), store),
                new Notifier.NotifierParts(
                        below.engine, below.client, below::documentsBesideLocks, below.meters.notifications()));
    }

    private NotifyOptions told() {
        return notifications.options();
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

    /** Tokens made while it runs; none where nobody is asked for one. */
    private TokenRoutes tokens() {
        Optional<StoredTokens> stored = Optional.empty();
        if (authenticator.asks()) {
            authenticator.expectStoredTokens();
            stored = Optional.of(opened.with(
                    StoredTokens.start(below::documentsBesideLocks, authenticator::storedTokens), StoredTokens::close));
        }
        return new TokenRoutes(
                authenticator,
                stored,
                (type, caller, id) -> below.trail.changed(type, TOKENS, caller, Map.of("id", id)),
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
                new ConfigReload.ReloadParts(
                        authenticator, levels, this::told, notifications::use, below.trail::record));
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

    /** Fills it with what a demonstration shows, and goes on with that until it is closed. */
    void show(DemoApps apps) {
        try {
            DemoStates.fill(stateParts.documents(), config.state().keeping());
            opened.with(
                    DemoTraffic.start(below.engine, below.meters, stateParts.states(), guarding::guard, apps),
                    DemoTraffic::close);
        } catch (RuntimeException e) {
            closeAfter(e);
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
        return new HttpEdge(new HttpEdge.EdgeParts(
                new Routes(calls),
                config.limits(),
                authenticator,
                new RateLimit(config.rate(), System::nanoTime),
                below.meters,
                below.tracing,
                below.trail,
                hosts(config),
                RemoteAddresses.behind(config.listen().trustedProxies()),
                below.lines));
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
        return below.engine;
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

    /** Stops: no new requests, waiters told to come back, the rest ends within the grace. */
    @Override
    public void close() {
        if (stopping) {
            return;
        }
        stopping = true;
        below.followers.stop();
        try {
            listener.stopIntake();
            events.stop();
            locks.waiters().tellAll();
        } finally {
            opened.close();
        }
    }
}
