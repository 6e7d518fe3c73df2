package dev.holdfast.server.config.settings;

import dev.holdfast.server.config.values.Quantities;
import dev.holdfast.server.config.values.Texts;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/** {@code metrics.*}, {@code tracing.*}, {@code logging.*} and {@code audit.*}. */
public final class ObserveSettings {
    /** Whether there are metrics. */
    public static final Setting<Boolean> METRICS_ENABLED =
            Setting.of("metrics.enabled", Texts.bool(), "true", "Whether metrics are served at `/metrics`.");

    /** Whether they need no login. */
    public static final Setting<Boolean> METRICS_PUBLIC = Setting.of(
            "metrics.public",
            Texts.bool(),
            "true",
            "Whether `/metrics` can be read without logging in; otherwise it needs `read` in all namespaces.");

    /** Whether lock names become labels. */
    public static final Setting<Boolean> METRICS_LOCK_NAME_LABEL = Setting.of(
            "metrics.lock-name-label",
            Texts.bool(),
            "false",
            "Adds the lock's name as a label. Only for few, fixed names: each is a time series of its own.");

    /** Where traces go. */
    public static final Setting<Optional<URI>> TRACING_ENDPOINT = Setting.optional(
            "tracing.endpoint", Texts.webAddress(), "OTLP endpoint that traces are sent to; empty sends none.");

    /** How many of them. */
    public static final Setting<Double> TRACING_SAMPLE_RATIO = Setting.of(
            "tracing.sample-ratio",
            Quantities.decimal(0, 1),
            "1.0",
            "Share of requests that are traced, unless the caller has decided.");

    /** Under which name. */
    public static final Setting<String> TRACING_SERVICE_NAME =
            Setting.of("tracing.service-name", Texts.text(200), "holdfast", "Name of the service in traces.");

    /** How log lines look. */
    public static final Setting<String> LOGGING_FORMAT = Setting.of(
            "logging.format", Texts.choice("console", "json"), "console", "Log lines for people or for machines.");

    /** Which log lines there are. */
    public static final Setting<String> LOGGING_LEVEL = Setting.of(
            "logging.level",
            Texts.choice("error", "warn", "info", "debug"),
            "info",
            "Least important lines that are logged.");

    /** Where they go too. */
    public static final Setting<Optional<Path>> LOGGING_FILE = Setting.optional(
            "logging.file", Texts.path(), "File the log is written to, besides the standard error stream.");

    /** Whether the log has audit lines. */
    public static final Setting<Boolean> AUDIT_LOG = Setting.of(
            "audit.log",
            Texts.bool(),
            "false",
            "Whether every event is also a JSON line of the log (logger `holdfast.audit`).");

    /** Where they go. */
    public static final Setting<Optional<Path>> AUDIT_FILE = Setting.optional(
            "audit.file",
            Texts.path(),
            "File of the audit log, one JSON line for every event; empty: the history in the store is the only record.");

    /** Whether nothing is done that cannot be written there. */
    public static final Setting<Boolean> AUDIT_REQUIRED = Setting.of(
                    "audit.required",
                    Texts.bool(),
                    "false",
                    "Whether what changes something or reads state is refused (503 `audit-unavailable`) while `audit.file` cannot be"
                            + " written; also `server.audit.required`.")
            .alsoNamed("server.audit.required");

    private ObserveSettings() {}
}
