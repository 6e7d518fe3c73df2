package dev.holdfast.server;

import dev.holdfast.documents.keys.MasterKeys;
import dev.holdfast.internal.engine.EngineConfig;
import dev.holdfast.server.auth.RateLimit;
import dev.holdfast.server.auth.jwt.JwtConfig;
import dev.holdfast.server.auth.login.AuthConfig;
import dev.holdfast.server.config.Settings;
import dev.holdfast.server.config.settings.AuthSettings;
import dev.holdfast.server.config.settings.LimitSettings;
import dev.holdfast.server.config.settings.LockSettings;
import dev.holdfast.server.config.settings.ObserveSettings;
import dev.holdfast.server.config.settings.ServerSettings;
import dev.holdfast.server.config.settings.StateSettings;
import dev.holdfast.server.config.settings.StoreSettings;
import dev.holdfast.server.dashboard.DashboardOptions;
import dev.holdfast.server.health.HealthBounds;
import dev.holdfast.server.http.edge.Limits;
import dev.holdfast.server.observe.audit.AuditConfig;
import dev.holdfast.server.observe.logs.LoggingConfig;
import dev.holdfast.server.observe.tracing.TracingConfig;
import dev.holdfast.server.routes.EventsRoute;
import dev.holdfast.server.routes.LeaseBounds;
import dev.holdfast.server.routes.RouteTable;
import dev.holdfast.spi.ConnectWait;
import dev.holdfast.state.terraform.ForcePolicy;
import dev.holdfast.state.terraform.LockHabits;
import dev.holdfast.state.versions.StateConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.slf4j.event.Level;

/** Makes a server's configuration of the settings somebody gave. */
public final class ServerSetup {
    /** Callers remembered for the rate limit. */
    private static final int MAX_CALLERS = 100_000;

    private ServerSetup() {}

    public static ServerOptions of(Settings settings) {
        return new ServerOptions(
                listen(settings),
                waiting(settings, settings.get(StoreSettings.STORE)),
                engine(settings),
                new LeaseBounds(
                        settings.get(LockSettings.MAX_LEASE),
                        settings.get(LimitSettings.LONG_POLL),
                        settings.get(LimitSettings.KEEP_PLACE)),
                settings.get(LimitSettings.WAITERS_PER_NAMESPACE),
                limits(settings),
                new EventsRoute.Bounds(
                        settings.get(LimitSettings.EVENTS_CLIENTS),
                        settings.get(LimitSettings.EVENTS_BUFFER),
                        settings.get(LimitSettings.REQUEST_TIMEOUT),
                        settings.get(LimitSettings.EVENTS_PER_PRINCIPAL)),
                new AuthConfig(
                        settings.get(AuthSettings.DISABLED),
                        jwt(settings),
                        settings.get(AuthSettings.TOKENS),
                        settings.get(AuthSettings.CERTIFICATES)),
                new RateLimit.Config(
                        settings.get(LimitSettings.REQUESTS_PER_SECOND),
                        settings.get(LimitSettings.BURST),
                        MAX_CALLERS),
                observe(settings),
                state(settings),
                GuardSetup.of(settings),
                NotifySetup.of(settings, System.getenv()),
                settings.get(ServerSettings.SHUTDOWN_GRACE));
    }

    /** How it logs; set up before the server itself. */
    public static LoggingConfig logging(Settings settings) {
        return new LoggingConfig(
                LoggingConfig.Format.valueOf(upper(settings.get(ObserveSettings.LOGGING_FORMAT))),
                Level.valueOf(upper(settings.get(ObserveSettings.LOGGING_LEVEL))),
                settings.get(ObserveSettings.LOGGING_FILE));
    }

    private static String upper(String text) {
        return text.toUpperCase(Locale.ROOT);
    }

    private static ServerOptions.Listen listen(Settings settings) {
        Optional<ServerOptions.Tls> tls = settings.get(ServerSettings.TLS_CERTIFICATE)
                .flatMap(certificate -> settings.get(ServerSettings.TLS_KEY)
                        .map(key -> new ServerOptions.Tls(
                                certificate, key, settings.get(ServerSettings.TLS_RELOAD_EVERY), clients(settings))));
        return new ServerOptions.Listen(
                settings.get(ServerSettings.HOST),
                settings.get(ServerSettings.PORT),
                tls,
                settings.get(ServerSettings.ALLOWED_HOSTS),
                settings.get(ServerSettings.TRUSTED_PROXIES));
    }

    private static Optional<ServerOptions.ClientCertificateOptions> clients(Settings settings) {
        return settings.get(ServerSettings.TLS_CLIENT_CA)
                .map(file -> new ServerOptions.ClientCertificateOptions(
                        file, settings.get(ServerSettings.TLS_CLIENT_AUTH).equals("required")));
    }

    /** The wait travels with the URL; one that a URL names itself stays. */
    private static String waiting(Settings settings, String url) {
        Duration wait = settings.get(StoreSettings.CONNECT_WAIT);
        return wait.equals(ConnectWait.DEFAULT) || url.startsWith("memory:") ? url : ConnectWait.with(url, wait);
    }

    private static EngineConfig engine(Settings settings) {
        return EngineConfig.DEFAULT
                .withHistory(settings.get(LockSettings.HISTORY_ENABLED))
                .withOperationTimeout(settings.get(LockSettings.OPERATION_TIMEOUT))
                .withStaleAfter(settings.get(LockSettings.STALE_AFTER))
                .withRetention(settings.get(LockSettings.RETENTION))
                .withHistoryRetention(settings.get(LockSettings.HISTORY_RETENTION))
                .withSweepEvery(settings.get(LockSettings.CLEANUP_INTERVAL))
                .withKeysCached(settings.get(LockSettings.KEYS_CACHED))
                .withWaiters(settings.get(LockSettings.MAX_WAITERS), settings.get(LockSettings.MAX_WAITERS_TOTAL));
    }

    private static Limits limits(Settings settings) {
        return new Limits(
                Math.toIntExact(settings.get(LimitSettings.BODY)),
                Math.toIntExact(settings.get(LimitSettings.BATCH_BODY)),
                Math.toIntExact(Math.min(Integer.MAX_VALUE - 8, settings.get(StateSettings.MAX_SIZE))),
                Math.toIntExact(settings.get(LimitSettings.URL)),
                Math.toIntExact(settings.get(LimitSettings.HEADERS)),
                settings.get(LimitSettings.JSON_DEPTH),
                settings.get(LimitSettings.CONNECTIONS),
                settings.get(LimitSettings.CONNECTIONS_PER_ADDRESS)
                        .orElseGet(() -> Math.max(1, settings.get(LimitSettings.CONNECTIONS) / 2)),
                settings.get(LimitSettings.WAITERS_PER_PRINCIPAL),
                settings.get(LimitSettings.LOCKS_PER_PRINCIPAL),
                settings.get(LimitSettings.IDLE_TIMEOUT),
                settings.get(LimitSettings.REQUEST_TIMEOUT));
    }

    private static MasterKeys keys(Settings settings) {
        List<String> sources = new ArrayList<>(
                settings.get(StateSettings.ENCRYPTION_KEY).stream().toList());
        sources.addAll(settings.get(StateSettings.ENCRYPTION_KEYS));
        boolean required = settings.get(StateSettings.ENCRYPTION_REQUIRED);
        if (required && sources.isEmpty()) {
            throw new IllegalArgumentException("state.encryption.required needs a key; set state.encryption.key");
        }
        try {
            MasterKeys keys = MasterKeys.open(sources, System.getenv());
            return required ? keys.required() : keys;
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("state.encryption: " + e.getMessage(), e);
        }
    }

    private static ServerOptions.State state(Settings settings) {
        return new ServerOptions.State(
                settings.get(StateSettings.STORE).map(url -> waiting(settings, url)),
                StateConfig.DEFAULT
                        .withMaxSize(settings.get(StateSettings.MAX_SIZE))
                        .withRetention(settings.get(StateSettings.HISTORY_RETENTION))
                        .withMaxVersions(settings.get(StateSettings.MAX_VERSIONS))
                        .withVisibleLocks(settings.get(StateSettings.VISIBLE_LOCKS))
                        .withKeys(keys(settings)),
                new LockHabits(
                        settings.get(StateSettings.STALE_AFTER),
                        settings.get(StateSettings.LOCK_WAIT),
                        ForcePolicy.valueOf(
                                upper(settings.get(StateSettings.FORCE_UNLOCK)).replace('-', '_'))),
                settings.get(StateSettings.MAX_STACKS));
    }

    private static Optional<JwtConfig> jwt(Settings settings) {
        boolean wanted = settings.get(AuthSettings.JWT_ISSUER).isPresent()
                || settings.get(AuthSettings.JWT_JWKS).isPresent();
        return wanted
                ? Optional.of(new JwtConfig(
                        settings.get(AuthSettings.JWT_ISSUER),
                        settings.get(AuthSettings.JWT_JWKS),
                        settings.get(AuthSettings.JWT_AUDIENCE).orElse(""),
                        settings.get(AuthSettings.JWT_ROLES_CLAIM),
                        settings.get(AuthSettings.JWT_DEFAULT_ROLES),
                        settings.get(AuthSettings.JWT_CLOCK_SKEW),
                        settings.get(AuthSettings.JWT_BOUND_CLAIMS),
                        settings.get(AuthSettings.JWT_ROLE_RULES),
                        settings.get(AuthSettings.JWT_GROUP_CLAIM)))
                : Optional.empty();
    }

    private static RouteTable.MetricsAccess metrics(Settings settings) {
        if (!settings.get(ObserveSettings.METRICS_ENABLED)) {
            return RouteTable.MetricsAccess.NOBODY;
        }
        return settings.get(ObserveSettings.METRICS_PUBLIC)
                ? RouteTable.MetricsAccess.EVERYBODY
                : RouteTable.MetricsAccess.READERS;
    }

    private static ServerOptions.Observe observe(Settings settings) {
        boolean log = settings.get(ObserveSettings.AUDIT_LOG);
        Optional<Path> file = settings.get(ObserveSettings.AUDIT_FILE);
        Optional<AuditConfig> audit = log || file.isPresent()
                ? Optional.of(AuditConfig.of(file, log, settings.get(ObserveSettings.AUDIT_REQUIRED)))
                : Optional.empty();
        return new ServerOptions.Observe(
                settings.get(ServerSettings.NODE),
                metrics(settings),
                settings.get(ObserveSettings.METRICS_LOCK_NAME_LABEL),
                settings.get(ObserveSettings.METRICS_LEGACY_NAMES),
                new TracingConfig(
                        settings.get(ObserveSettings.TRACING_ENDPOINT),
                        settings.get(ObserveSettings.TRACING_SAMPLE_RATIO),
                        settings.get(ObserveSettings.TRACING_SERVICE_NAME)),
                audit,
                new DashboardOptions(
                        settings.get(ServerSettings.DASHBOARD_ENABLED),
                        settings.get(ServerSettings.DASHBOARD_READ_ONLY)),
                settings.lines(),
                settings.notes(),
                new ServerOptions.Watching(
                        new HealthBounds(
                                settings.get(ServerSettings.HEALTH_MIN_FREE),
                                settings.get(ServerSettings.HEALTH_MAX_CLOCK_ERROR)),
                        settings.get(ObserveSettings.LOGGING_SLOW_THRESHOLD),
                        logging(settings).level(),
                        logging(settings).file()));
    }
}
