package dev.holdfast.server.config.settings;

import dev.holdfast.server.config.values.Quantities;
import dev.holdfast.server.config.values.Texts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** {@code server.*} except its limits: where the server listens, and how it starts and stops. */
public final class ServerSettings {
    public static final Setting<Integer> PORT =
            Setting.of("server.port", Quantities.integer(0, 65535), "8080", "Port to listen on; 0 takes a free one.");

    public static final Setting<String> HOST = Setting.of(
            "server.host",
            Texts.matching("[A-Za-z0-9_.:%\\[\\]-]{1,255}", "a host name or an IP address"),
            "127.0.0.1",
            "Address to listen on; `0.0.0.0` for all. Anything but loopback needs an auth setting.");

    public static final Setting<List<String>> ALLOWED_HOSTS = Setting.of(
            "server.allowed-hosts",
            Texts.words(100),
            "",
            "Names (`holdfast`, `*.example.com`) by which a server without authentication may be called, besides loopback names, IP"
                    + " addresses and `server.host`; any other is 421.");

    public static final Setting<List<String>> TRUSTED_PROXIES = Setting.of(
            "server.trusted-proxies",
            Texts.words(100),
            "",
            "Addresses and ranges (`10.0.0.0/8`) of proxies whose `X-Forwarded-For` or `Forwarded` says where a request comes from,"
                    + " for audit and limits; from all others these headers are ignored.");

    public static final Setting<String> NODE = Setting.computed(
            "server.node",
            Texts.text(200),
            "`HOSTNAME`, or the machine's name",
            "Name of this replica in `/health/ready` and in what it owns itself.");

    public static final Setting<Path> DATA =
            Setting.of("server.data", Texts.path(), "./holdfast-data", "Directory of the embedded store.");

    public static final Setting<Optional<Path>> TLS_CERTIFICATE = Setting.optional(
            "server.tls.certificate",
            Texts.path(),
            "PEM file with the certificate chain; with it the server speaks HTTPS.");

    public static final Setting<Optional<Path>> TLS_KEY =
            Setting.optional("server.tls.key", Texts.path(), "PEM file with the private key of the certificate.");

    public static final Setting<Duration> TLS_RELOAD_EVERY = Setting.of(
            "server.tls.reload-every",
            Quantities.duration("1s", "24h"),
            "10s",
            "How often these files are checked for a change.");

    public static final Setting<Optional<Path>> TLS_CLIENT_CA = Setting.optional(
            "server.tls.client-ca",
            Texts.path(),
            "PEM file with the authorities whose client certificates are accepted.");

    public static final Setting<String> TLS_CLIENT_AUTH = Setting.of(
            "server.tls.client-auth",
            Texts.choice("none", "optional", "required"),
            "none",
            "Whether clients are asked for a certificate; `required` turns those without one away at the connection.");

    public static final Setting<Duration> SHUTDOWN_GRACE = Setting.of(
            "server.shutdown-grace",
            Quantities.duration("0s", "10m"),
            "10s",
            "How long a stop waits for requests that are being answered.");

    public static final Setting<Boolean> DEMO = Setting.of(
            "server.demo",
            Texts.bool(),
            "false",
            "Makes believable traffic of its own, for a first look; not for production.");

    public static final Setting<Boolean> DASHBOARD_ENABLED =
            Setting.of("dashboard.enabled", Texts.bool(), "true", "Whether the dashboard is served at `/`.");

    private ServerSettings() {}
}
