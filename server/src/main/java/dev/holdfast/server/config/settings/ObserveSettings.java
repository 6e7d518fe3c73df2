package dev.holdfast.server.config.settings;

import dev.holdfast.server.config.values.Quantities;
import dev.holdfast.server.config.values.Texts;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/** {@code metrics.*}, {@code tracing.*}, {@code logging.*} and {@code audit.*}. */
public final class ObserveSettings {
    public static final Setting<Boolean> METRICS_ENABLED =
            Setting.of("metrics.enabled", Texts.bool(), "true", "Whether metrics are served at `/metrics`.");

    public static final Setting<Boolean> METRICS_PUBLIC = Setting.of(
            "metrics.public",
            Texts.bool(),
            "true",
            "Whether `/metrics` can be read without logging in; otherwise it needs `read` in all namespaces.");

    public static final Setting<Boolean> METRICS_LOCK_NAME_LABEL = Setting.of(
            "metrics.lock-name-label",
            Texts.bool(),
            "false",
            "Adds the lock's name as a label. Only for few, fixed names: each is a time series of its own.");

    public static final Setting<Optional<URI>> TRACING_ENDPOINT = Setting.optional(
            "tracing.endpoint", Texts.webAddress(), "OTLP endpoint that traces are sent to; empty sends none.");

    public static final Setting<Double> TRACING_SAMPLE_RATIO = Setting.of(
            "tracing.sample-ratio",
            Quantities.decimal(0, 1),
            "1.0",
            "Share of requests that are traced, unless the caller has decided.");

    public static final Setting<String> TRACING_SERVICE_NAME =
            Setting.of("tracing.service-name", Texts.text(200), "holdfast", "Name of the service in traces.");

    public static final Setting<String> LOGGING_FORMAT = Setting.of(
            "logging.format", Texts.choice("console", "json"), "console", "Log lines for people or for machines.");

    public static final Setting<String> LOGGING_LEVEL = Setting.of(
            "logging.level",
            Texts.choice("error", "warn", "info", "debug"),
            "info",
            "Least important lines that are logged.");

    public static final Setting<Optional<Path>> LOGGING_FILE = Setting.optional(
            "logging.file", Texts.path(), "File the log is written to, besides the standard error stream.");

    public static final Setting<Boolean> AUDIT_LOG = Setting.of(
            "audit.log",
            Texts.bool(),
            "false",
            "Whether every event is also a JSON line of the log (logger `holdfast.audit`).");

    public static final Setting<Optional<Path>> AUDIT_FILE = Setting.optional(
            "audit.file",
            Texts.path(),
            "File of the audit log, one JSON line for every event; empty: the history in the store is the only record.");

    public static final Setting<Boolean> AUDIT_REQUIRED = Setting.of(
                    "audit.required",
                    Texts.bool(),
                    "false",
                    "Whether what changes something or reads state is refused (503 `audit-unavailable`) while `audit.file` cannot be"
                            + " written; also `server.audit.required`.")
            .alsoNamed("server.audit.required");

    private ObserveSettings() {}
}
