package dev.holdfast.server.config.settings;

import dev.holdfast.server.config.values.Texts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** {@code server.*} except its limits: where the server listens, and how it starts and stops; {@code dashboard.*}. */
public final class ServerSettings {
    public static final Setting<Integer> PORT = Setting.integer("server.port", 0, 65535, 8080);
    public static final Setting<String> HOST = Setting.of(
            "server.host",
            Texts.matching("[A-Za-z0-9_.:%\\[\\]-]{1,255}", "a host name or an IP address"),
            "127.0.0.1");
    public static final Setting<List<String>> ALLOWED_HOSTS = Setting.of("server.allowed-hosts", Texts.words(100), "");
    public static final Setting<List<String>> TRUSTED_PROXIES =
            Setting.of("server.trusted-proxies", Texts.words(100), "");
    public static final Setting<String> NODE =
            Setting.computed("server.node", Texts.text(200), "`HOSTNAME`, or the machine's name");
    public static final Setting<Path> DATA = Setting.of("server.data", Texts.path(), "./holdfast-data");
    public static final Setting<Optional<Path>> TLS_CERTIFICATE =
            Setting.optional("server.tls.certificate", Texts.path());
    public static final Setting<Optional<Path>> TLS_KEY = Setting.optional("server.tls.key", Texts.path());
    public static final Setting<Duration> TLS_RELOAD_EVERY =
            Setting.duration("server.tls.reload-every", "1s", "24h", "10s");
    public static final Setting<Optional<Path>> TLS_CLIENT_CA = Setting.optional("server.tls.client-ca", Texts.path());
    public static final Setting<String> TLS_CLIENT_AUTH =
            Setting.of("server.tls.client-auth", Texts.choice("none", "optional", "required"), "none");
    public static final Setting<Duration> SHUTDOWN_GRACE =
            Setting.duration("server.shutdown-grace", "0s", "10m", "10s");
    public static final Setting<Long> HEALTH_MIN_FREE = Setting.size("server.health.min-free", "0B", "1024GB", "64MB");
    public static final Setting<Duration> HEALTH_MAX_CLOCK_ERROR =
            Setting.duration("server.health.max-clock-error", "10ms", "1h", "10s");
    public static final Setting<Boolean> DEMO = Setting.bool("server.demo", false);
    public static final Setting<Boolean> DASHBOARD_ENABLED = Setting.bool("dashboard.enabled", true);
    public static final Setting<Boolean> DASHBOARD_READ_ONLY = Setting.bool("dashboard.read-only", false);

    private ServerSettings() {}
}
