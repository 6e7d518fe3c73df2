package dev.holdfast.server.config.settings;

import dev.holdfast.guard.actuator.Actuators;
import dev.holdfast.server.config.values.ActuatorsKind;
import dev.holdfast.server.config.values.Quantities;
import dev.holdfast.server.config.values.Texts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code guard.*}; what the source document calls {@code controller.*} is in {@link SeedSettings}. */
public final class GuardSettings {
    public static final Setting<Boolean> ENABLED = Setting.of(
            "guard.enabled",
            Texts.bool(),
            "true",
            "`false`: this server judges nothing; calls about apps are answered 503.");

    public static final Setting<Optional<String>> STORE = Setting.optional(
            "guard.store",
            Texts.storeUrl(),
            "Where apps and decisions of the guard are kept; empty: where the locks are.");

    public static final Setting<Integer> DOWN_CONFIRMATIONS = Setting.of(
            "guard.down-confirmations",
            Quantities.integer(1, 100),
            "2",
            "How often in a row an app must be found down before it counts as down.");

    public static final Setting<Duration> CONFIRMATION_PAUSE = Setting.of(
            "guard.confirmation-pause",
            Quantities.duration("0ms", "10m"),
            "1s",
            "How long after one look at an app the next one counts.");

    public static final Setting<Duration> DOWN_AFTER = Setting.of(
            "guard.down-after",
            Quantities.duration("0s", "7d"),
            "5m",
            "How long an app that nobody asked to stop must answer 5xx, and nothing else, before it counts as down; an app's"
                    + " registration may say otherwise.");

    public static final Setting<Duration> INTERVAL = Setting.of(
            "guard.interval",
            Quantities.duration("10ms", "1h"),
            "10s",
            "How often unfinished stops and starts are looked at again.");

    public static final Setting<Duration> STARTING_TIMEOUT = Setting.of(
            "guard.starting-timeout",
            Quantities.duration("1s", "1d"),
            "5m",
            "How long an app that was told to start keeps its databases without being seen up.");

    public static final Setting<Duration> LOCK_BACKOFF = Setting.of(
            "guard.lock-backoff",
            Quantities.duration("1ms", "1m"),
            "250ms",
            "Wait at the first retry for a lock that is held; twice as long at each further one.");

    public static final Setting<Duration> ACT_TIMEOUT =
            Setting.of("guard.act-timeout", Quantities.duration("1s", "1h"), "2m", "How long an actuator may take.");

    public static final Setting<Boolean> RESTART_IF_NEEDED = Setting.of(
            "guard.restart-if-needed",
            Texts.bool(),
            "false",
            "Whether a stopped database is started when an app that uses it answers again; else that is only said.");

    public static final Setting<Duration> ANSWER_WITHIN = Setting.of(
            "guard.answer-within",
            Quantities.duration("1s", "1m"),
            "30s",
            "How long a stop or start waits for the outcome; then `pending` is answered, and it goes on.");

    public static final Setting<Map<String, Map<String, String>>> ACTUATORS = Setting.of(
            "guard.actuators",
            new ActuatorsKind(),
            "{}",
            "What stops and starts resources, by name, each with its `type` (command, http, ec2, rds, kubernetes, log) and"
                    + " settings; see GUARD.md.");

    public static final Setting<String> ACTUATOR = Setting.of(
            "guard.actuator",
            Texts.matching("[A-Za-z0-9][A-Za-z0-9._-]{0,63}", "the name of an actuator"),
            Actuators.LOG,
            "The actuator of databases that name none; `log` only records.");

    public static final Setting<Boolean> PROBE_PRIVATE = Setting.of(
            "guard.probe.private",
            Texts.bool(),
            "true",
            "Whether apps at private and loopback addresses are probed; link-local and metadata addresses never are.");

    public static final Setting<List<String>> PROBE_ALLOW = Setting.of(
            "guard.probe.allow",
            Texts.words(1000),
            "",
            "If given, the only hosts (`*.example.com`), addresses and ranges (`10.1.0.0/16`) that are probed.");

    public static final Setting<Optional<Path>> PROBE_CA = Setting.optional(
            "guard.probe.ca",
            Texts.path(),
            "Certificates (PEM) to trust when apps speak HTTPS, besides those of Java.");

    public static final Setting<String> LOG_STYLE = Setting.of(
            "guard.log-style", Texts.choice("plain", "emoji"), "plain", "How the lines of the decision log begin.");

    private GuardSettings() {}
}
