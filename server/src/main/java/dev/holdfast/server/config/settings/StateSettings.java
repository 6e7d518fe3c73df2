package dev.holdfast.server.config.settings;

import dev.holdfast.server.config.values.Texts;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** {@code state.*}. */
public final class StateSettings {
    public static final Setting<Optional<String>> STORE = Setting.optional("state.store", Texts.storeUrl());
    public static final Setting<Long> MAX_SIZE = Setting.size("state.max-size", "1KB", "1GB", "64MB");
    public static final Setting<Integer> MAX_STACKS = Setting.integer("state.max-stacks", 1, 1_000_000, 10_000);
    public static final Setting<String> FORCE_UNLOCK =
            Setting.of("state.force-unlock", Texts.choice("any", "stale-only", "deny"), "any");

    /** When a lock of terraform's, which cannot heartbeat, looks stale. */
    public static final Setting<Duration> STALE_AFTER = Setting.duration("state.stale-after", "1s", "30d", "1h");

    public static final Setting<Duration> LOCK_WAIT = Setting.duration("state.lock-wait", "50ms", "30s", "5s");
    public static final Setting<Duration> HISTORY_RETENTION =
            Setting.duration("state.history-retention", "1h", "3650d", "90d");
    public static final Setting<Integer> MAX_VERSIONS = Setting.integer("state.max-versions", 2, 1_000_000, 10_000);
    public static final Setting<Boolean> VISIBLE_LOCKS = Setting.bool("state.visible-locks", false);
    public static final Setting<Optional<String>> ENCRYPTION_KEY =
            Setting.optional("state.encryption.key", Texts.keySource());
    public static final Setting<List<String>> ENCRYPTION_KEYS =
            Setting.of("state.encryption.keys", Texts.keySources(), "");
    public static final Setting<Boolean> ENCRYPTION_REQUIRED = Setting.bool("state.encryption.required", false);

    private StateSettings() {}
}
