package dev.holdfast.server;

import dev.holdfast.internal.engine.EngineConfig;
import dev.holdfast.server.auth.RateLimit;
import dev.holdfast.server.auth.login.AuthConfig;
import dev.holdfast.server.dashboard.DashboardOptions;
import dev.holdfast.server.guard.GuardOptions;
import dev.holdfast.server.http.edge.Limits;
import dev.holdfast.server.observe.audit.AuditConfig;
import dev.holdfast.server.routes.EventsRoute;
import dev.holdfast.server.routes.LeaseBounds;
import dev.holdfast.server.routes.RouteTable;
import dev.holdfast.spi.RecordStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A server's configuration as one test needs it; what it does not say is as in {@link TestServer#OPEN}. */
final class Setup {
    private ServerOptions.Listen listen = TestServer.OPEN.listen();
    private String store = TestServer.OPEN.store();
    private EngineConfig engine = TestServer.OPEN.engine();
    private LeaseBounds bounds = TestServer.OPEN.bounds();
    private int waitersPerNamespace = TestServer.OPEN.waitersPerNamespace();
    private Limits limits = TestServer.OPEN.limits();
    private EventsRoute.Bounds events = TestServer.OPEN.events();
    private AuthConfig auth = TestServer.OPEN.auth();
    private RateLimit.Config rate = TestServer.OPEN.rate();
    private ServerOptions.Observe observe = TestServer.OPEN.observe();
    private ServerOptions.State state = TestServer.OPEN.state();
    private GuardOptions guard = TestServer.OPEN.guard();

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
        return TestServer.OPEN
                .but()
                .listen(listen)
                .store(store)
                .engine(engine)
                .bounds(bounds)
                .waitersPerNamespace(waitersPerNamespace)
                .limits(limits)
                .events(events)
                .auth(auth)
                .rate(rate)
                .observe(observe)
                .state(state)
                .guard(guard)
                .build();
    }

    TestServer start() {
        return TestServer.start(config());
    }

    /** On a store that is open already. */
    TestServer start(RecordStore open) {
        return TestServer.start(config(), open);
    }
}
