package dev.holdfast.server.config.settings;

import dev.holdfast.guard.actuator.Actuators;
import dev.holdfast.server.config.values.ActuatorsKind;
import dev.holdfast.server.config.values.Texts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code guard.*}; what the source document calls {@code controller.*} is in {@link SeedSettings}. */
public final class GuardSettings {
    public static final Setting<Boolean> ENABLED = Setting.bool("guard.enabled", true);
    public static final Setting<Optional<String>> STORE = Setting.optional("guard.store", Texts.storeUrl());
    public static final Setting<Integer> DOWN_CONFIRMATIONS = Setting.integer("guard.down-confirmations", 1, 100, 2);
    public static final Setting<Duration> CONFIRMATION_PAUSE =
            Setting.duration("guard.confirmation-pause", "0ms", "10m", "1s");
    public static final Setting<Duration> DOWN_AFTER = Setting.duration("guard.down-after", "0s", "7d", "5m");
    public static final Setting<Duration> INTERVAL = Setting.duration("guard.interval", "10ms", "1h", "10s");
    public static final Setting<Duration> STARTING_TIMEOUT =
            Setting.duration("guard.starting-timeout", "1s", "1d", "5m");
    public static final Setting<Duration> LOCK_BACKOFF = Setting.duration("guard.lock-backoff", "1ms", "1m", "250ms");
    public static final Setting<Duration> ACT_TIMEOUT = Setting.duration("guard.act-timeout", "1s", "1h", "2m");
    public static final Setting<Boolean> RESTART_IF_NEEDED = Setting.bool("guard.restart-if-needed", false);
    public static final Setting<Duration> ANSWER_WITHIN = Setting.duration("guard.answer-within", "1s", "1m", "30s");
    public static final Setting<Map<String, Map<String, String>>> ACTUATORS =
            Setting.of("guard.actuators", new ActuatorsKind(), "{}");
    public static final Setting<String> ACTUATOR = Setting.of(
            "guard.actuator",
            Texts.matching("[A-Za-z0-9][A-Za-z0-9._-]{0,63}", "the name of an actuator"),
            Actuators.LOG);
    public static final Setting<Boolean> PROBE_PRIVATE = Setting.bool("guard.probe.private", true);
    public static final Setting<List<String>> PROBE_ALLOW = Setting.of("guard.probe.allow", Texts.words(1000), "");
    public static final Setting<Optional<Path>> PROBE_CA = Setting.optional("guard.probe.ca", Texts.path());
    public static final Setting<String> LOG_STYLE =
            Setting.of("guard.log-style", Texts.choice("plain", "emoji"), "plain");

    private GuardSettings() {}
}
