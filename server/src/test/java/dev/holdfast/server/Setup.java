package dev.holdfast.server;

import dev.holdfast.internal.engine.EngineConfig;
import dev.holdfast.server.auth.RateLimit;
import dev.holdfast.server.auth.login.AuthConfig;
import dev.holdfast.server.dashboard.DashboardOptions;
import dev.holdfast.server.guard.GuardOptions;
import dev.holdfast.server.http.edge.Limits;
import dev.holdfast.server.notify.NotifyOptions;
import dev.holdfast.server.observe.audit.AuditConfig;
import dev.holdfast.server.routes.EventsRoute;
import dev.holdfast.server.routes.LeaseBounds;
import dev.holdfast.server.routes.RouteTable;
import dev.holdfast.spi.RecordStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A server's configuration as one test needs it; what it does not say is as in {@link TestServer#OPEN}, unless said otherwise. */
final class Setup {
    private ServerOptions.Listen listen;
    private String store;
    private EngineConfig engine;
    private LeaseBounds bounds;
    private int waitersPerNamespace;
    private Limits limits;
    private EventsRoute.Bounds events;
    private AuthConfig auth;
    private RateLimit.Config rate;
    private ServerOptions.Observe observe;
    private ServerOptions.State state;
    private GuardOptions guard;
    private NotifyOptions notifications;
    private Duration grace;

    Setup() {
        this(TestServer.OPEN);
    }

    /** What is not said is as in these. */
    Setup(ServerOptions base) {
        listen = base.listen();
        store = base.store();
        engine = base.engine();
        bounds = base.bounds();
        waitersPerNamespace = base.waitersPerNamespace();
        limits = base.limits();
        events = base.events();
        auth = base.auth();
        rate = base.rate();
        observe = base.observe();
        state = base.state();
        guard = base.guard();
        notifications = base.notifications();
        grace = base.grace();
    }

    Setup listen(ServerOptions.Listen other) {
        listen = other;
        return this;
    }

    Setup engine(EngineConfig other) {
        engine = other;
        return this;
    }

    Setup events(EventsRoute.Bounds other) {
        events = other;
        return this;
    }

    Setup observe(ServerOptions.Observe other) {
        observe = other;
        return this;
    }

    Setup notifications(NotifyOptions other) {
        notifications = other;
        return this;
    }

    Setup grace(Duration other) {
        grace = other;
        return this;
    }

    Setup store(String url) {
        store = url;
        return this;
    }

    /** How long a place in the queue is kept between two requests. */
    Setup keepPlace(Duration time) {
        bounds = new LeaseBounds(bounds.maxLease(), bounds.longPoll(), time);
        return this;
    }

    Setup tls(ServerOptions.Tls files) {
        listen = new ServerOptions.Listen(
                listen.host(), listen.port(), Optional.of(files), listen.allowedHosts(), listen.trustedProxies());
        return this;
    }

    Setup port(int port) {
        listen = new ServerOptions.Listen(
                listen.host(), port, listen.tls(), listen.allowedHosts(), listen.trustedProxies());
        return this;
    }

    Setup host(String host) {
        listen = new ServerOptions.Listen(
                host, listen.port(), listen.tls(), listen.allowedHosts(), listen.trustedProxies());
        return this;
    }

    Setup allowedHosts(String... names) {
        listen = new ServerOptions.Listen(
                listen.host(), listen.port(), listen.tls(), List.of(names), listen.trustedProxies());
        return this;
    }

    Setup trustedProxies(String... ranges) {
        listen = new ServerOptions.Listen(
                listen.host(), listen.port(), listen.tls(), listen.allowedHosts(), List.of(ranges));
        return this;
    }

    Setup audit(AuditConfig audit) {
        observe = new ServerOptions.Observe(
                observe.node(),
                observe.metrics(),
                observe.lockNameLabel(),
                observe.legacyNames(),
                observe.tracing(),
                Optional.of(audit),
                observe.dashboard(),
                observe.settings(),
                observe.notes(),
                observe.watching());
        return this;
    }

    Setup watching(ServerOptions.Watching watching) {
        observe = new ServerOptions.Observe(
                observe.node(),
                observe.metrics(),
                observe.lockNameLabel(),
                observe.legacyNames(),
                observe.tracing(),
                observe.audit(),
                observe.dashboard(),
                observe.settings(),
                observe.notes(),
                watching);
        return this;
    }

    Setup guard(GuardOptions options) {
        guard = options;
        return this;
    }

    Setup operationTimeout(Duration timeout) {
        engine = engine.withOperationTimeout(timeout);
        return this;
    }

    Setup waitersPerKey(int most) {
        engine = engine.withWaiters(most, engine.waiters());
        return this;
    }

    Setup waitersPerNamespace(int most) {
        waitersPerNamespace = most;
        return this;
    }

    Setup limits(Limits other) {
        limits = other;
        return this;
    }

    Setup eventsClients(int most) {
        events = new EventsRoute.Bounds(most, events.behind(), events.patience(), most);
        return this;
    }

    Setup eventsPerPrincipal(int most) {
        events = new EventsRoute.Bounds(events.clients(), events.behind(), events.patience(), most);
        return this;
    }

    Setup auth(AuthConfig other) {
        auth = other;
        return this;
    }

    Setup rate(RateLimit.Config other) {
        rate = other;
        return this;
    }

    Setup state(ServerOptions.State other) {
        state = other;
        return this;
    }

    Setup staleAfter(Duration time) {
        engine = engine.withStaleAfter(time);
        return this;
    }

    Setup dashboard(DashboardOptions dashboard) {
        observe = new ServerOptions.Observe(
                observe.node(),
                observe.metrics(),
                observe.lockNameLabel(),
                observe.legacyNames(),
                observe.tracing(),
                observe.audit(),
                dashboard,
                observe.settings(),
                observe.notes(),
                observe.watching());
        return this;
    }

    Setup privateMetrics() {
        observe = new ServerOptions.Observe(
                observe.node(),
                RouteTable.MetricsAccess.READERS,
                observe.lockNameLabel(),
                observe.legacyNames(),
                observe.tracing(),
                observe.audit(),
                observe.dashboard(),
                observe.settings(),
                observe.notes(),
                observe.watching());
        return this;
    }

    ServerOptions config() {
        return new ServerOptions(
                listen,
                store,
                engine,
                bounds,
                waitersPerNamespace,
                limits,
                events,
                auth,
                rate,
                observe,
                state,
                guard,
                notifications,
                grace);
    }

    TestServer start() {
        return TestServer.start(config());
    }

    /** On a store that is open already. */
    TestServer start(RecordStore open) {
        return TestServer.start(config(), open);
    }
}
