package dev.holdfast.server;

import dev.holdfast.internal.engine.EngineConfig;
import dev.holdfast.server.auth.RateLimit;
import dev.holdfast.server.auth.login.AuthConfig;
import dev.holdfast.server.config.Settings;
import dev.holdfast.server.dashboard.DashboardOptions;
import dev.holdfast.server.guard.GuardOptions;
import dev.holdfast.server.health.HealthBounds;
import dev.holdfast.server.http.edge.Limits;
import dev.holdfast.server.notify.NotifyOptions;
import dev.holdfast.server.observe.audit.AuditConfig;
import dev.holdfast.server.observe.tracing.TracingConfig;
import dev.holdfast.server.routes.EventsRoute;
import dev.holdfast.server.routes.LeaseBounds;
import dev.holdfast.server.routes.RouteTable;
import dev.holdfast.state.terraform.LockHabits;
import dev.holdfast.state.versions.StateConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.event.Level;

/**
 * A server as it is to run.
 *
 * @param store URL of the store
 * @param notifications who is told what happens to locks
 * @param grace how long requests under way may take when it stops
 */
public record ServerOptions(
        Listen listen,
        String store,
        EngineConfig engine,
        LeaseBounds bounds,
        int waitersPerNamespace,
        Limits limits,
        EventsRoute.Bounds events,
        AuthConfig auth,
        RateLimit.Config rate,
        Observe observe,
        State state,
        GuardOptions guard,
        NotifyOptions notifications,
        Duration grace) {

    /**
     * Where to listen.
     *
     * @param port 0 for any
     * @param tls certificates; empty for plain HTTP
     * @param allowedHosts names by which it may be called when it asks nobody who calls
     * @param trustedProxies addresses and ranges whose word is taken for where a request comes from
     */
    public record Listen(
            String host, int port, Optional<Tls> tls, List<String> allowedHosts, List<String> trustedProxies) {
        public Listen {
            allowedHosts = List.copyOf(allowedHosts);
            trustedProxies = List.copyOf(trustedProxies);
        }
    }

    /**
     * Certificates.
     *
     * @param certificate PEM file
     * @param key PEM file
     * @param reloadEvery how often to look whether they changed
     * @param clients whether clients show certificates, and whose; empty for not at all
     */
    public record Tls(Path certificate, Path key, Duration reloadEvery, Optional<ClientCertificateOptions> clients) {}

    /**
     * Certificates of clients.
     *
     * @param authorities PEM file with those who sign them
     * @param required whether a client without one is turned away before it can send anything
     */
    public record ClientCertificateOptions(Path authorities, boolean required) {}

    /**
     * What others see.
     *
     * @param lockNameLabel whether lock names are a label of metrics
     * @param legacyNames whether metrics are shown under their earlier names as well
     * @param audit where the audit goes; empty for nowhere
     * @param settings what it was told, as admins may see it
     * @param notes what was worth saying about that at the start
     */
    public record Observe(
            String node,
            RouteTable.MetricsAccess metrics,
            boolean lockNameLabel,
            boolean legacyNames,
            TracingConfig tracing,
            Optional<AuditConfig> audit,
            DashboardOptions dashboard,
            List<Settings.Line> settings,
            List<String> notes,
            Watching watching) {
        public Observe {
            settings = List.copyOf(settings);
            notes = List.copyOf(notes);
        }
    }

    /**
     * What it watches of itself.
     *
     * @param health from when on it is not well
     * @param slowAfter from how long on an operation is slow; zero for never
     * @param logLevel the least level of its own log lines
     * @param logFile where they go besides the error output
     */
    public record Watching(HealthBounds health, Duration slowAfter, Level logLevel, Optional<Path> logFile) {}

    /**
     * State of stacks.
     *
     * @param store URL of its documents; empty for where the locks are
     * @param keeping limits, and how long versions are kept
     * @param locks how locks of terraform's are treated
     */
    public record State(Optional<String> store, StateConfig keeping, LockHabits locks, int maxStacks) {}

    /** The same on another port and store, for several in one process. */
    public ServerOptions on(int port, String otherStore) {
        Listen there = new Listen(listen.host(), port, listen.tls(), listen.allowedHosts(), listen.trustedProxies());
        return with(there, otherStore, state, guard, notifications);
    }

    /** The same with everything in memory: locks, state and what the guard knows. Nobody is told of that. */
    public ServerOptions inMemory() {
        State here = new State(Optional.empty(), state.keeping(), state.locks(), state.maxStacks());
        return with(listen, "memory:", here, guard.beside(), NotifyOptions.NONE);
    }

    /** The same, telling others. */
    public ServerOptions notifying(NotifyOptions others) {
        return with(listen, store, state, guard, others);
    }

    ServerOptions with(GuardOptions other) {
        return with(listen, store, state, other, notifications);
    }

    private ServerOptions with(
            Listen otherListen, String otherStore, State otherState, GuardOptions otherGuard, NotifyOptions told) {
        return new ServerOptions(
                otherListen,
                otherStore,
                engine,
                bounds,
                waitersPerNamespace,
                limits,
                events,
                auth,
                rate,
                observe,
                otherState,
                otherGuard,
                told,
                grace);
    }
}
