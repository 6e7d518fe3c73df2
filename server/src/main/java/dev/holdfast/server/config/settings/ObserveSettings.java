package dev.holdfast.server.config.settings;

import dev.holdfast.server.config.values.Quantities;
import dev.holdfast.server.config.values.Texts;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** {@code metrics.*}, {@code tracing.*}, {@code logging.*} and {@code audit.*}. */
public final class ObserveSettings {
    public static final Setting<Boolean> METRICS_ENABLED = Setting.bool("metrics.enabled", true);
    public static final Setting<Boolean> METRICS_PUBLIC = Setting.bool("metrics.public", true);
    public static final Setting<Boolean> METRICS_LOCK_NAME_LABEL = Setting.bool("metrics.lock-name-label", false);
    public static final Setting<Boolean> METRICS_LEGACY_NAMES = Setting.bool("metrics.legacy-names", true);
    public static final Setting<Optional<URI>> TRACING_ENDPOINT =
            Setting.optional("tracing.endpoint", Texts.webAddress());
    public static final Setting<Double> TRACING_SAMPLE_RATIO =
            Setting.of("tracing.sample-ratio", Quantities.decimal(0, 1), "1.0");
    public static final Setting<String> TRACING_SERVICE_NAME =
            Setting.of("tracing.service-name", Texts.text(200), "holdfast");
    public static final Setting<String> LOGGING_FORMAT =
            Setting.of("logging.format", Texts.choice("console", "json"), "console");
    public static final Setting<String> LOGGING_LEVEL =
            Setting.of("logging.level", Texts.choice("error", "warn", "info", "debug"), "info");
    public static final Setting<Optional<Path>> LOGGING_FILE = Setting.optional("logging.file", Texts.path());
    public static final Setting<Duration> LOGGING_SLOW_THRESHOLD =
            Setting.duration("logging.slow-threshold", "0s", "1h", "1s");
    public static final Setting<Boolean> AUDIT_LOG = Setting.bool("audit.log", false);
    public static final Setting<Optional<Path>> AUDIT_FILE = Setting.optional("audit.file", Texts.path());
    public static final Setting<Boolean> AUDIT_REQUIRED =
            Setting.bool("audit.required", false).alsoNamed("server.audit.required");

    private ObserveSettings() {}
}
