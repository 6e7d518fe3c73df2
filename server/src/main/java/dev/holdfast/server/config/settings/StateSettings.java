package dev.holdfast.server.config.settings;

import dev.holdfast.server.config.values.KeySourceKind;
import dev.holdfast.server.config.values.Quantities;
import dev.holdfast.server.config.values.Texts;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** {@code state.*}. */
public final class StateSettings {
    public static final Setting<Optional<String>> STORE = Setting.optional(
            "state.store", Texts.storeUrl(), "Where state documents are kept; empty: where the locks are.");

    public static final Setting<Long> MAX_SIZE = Setting.of(
            "state.max-size", Quantities.size("1KB", "1GB"), "64MB", "Largest state document; above it 413.");

    public static final Setting<Integer> MAX_STACKS = Setting.of(
            "state.max-stacks",
            Quantities.integer(1, 1_000_000),
            "10000",
            "Stacks there may be, each environment counted; above it a new one is 409.");

    public static final Setting<String> FORCE_UNLOCK = Setting.of(
            "state.force-unlock",
            Texts.choice("any", "stale-only", "deny"),
            "any",
            "Which locks terraform's force-unlock may end.");

    /** When a lock of terraform's, which cannot heartbeat, looks stale. */
    public static final Setting<Duration> STALE_AFTER = Setting.of(
            "state.stale-after",
            Quantities.duration("1s", "30d"),
            "1h",
            "When a lock that terraform holds looks stale, counted from its last save; never before `locks.stale-after`.");

    public static final Setting<Duration> LOCK_WAIT = Setting.of(
            "state.lock-wait",
            Quantities.duration("50ms", "30s"),
            "5s",
            "How long terraform, asking again for a lock, waits at the server for its turn before it hears 423 once more.");

    public static final Setting<Duration> HISTORY_RETENTION = Setting.of(
            "state.history-retention",
            Quantities.duration("1h", "3650d"),
            "90d",
            "How long versions of state are kept; never shorter for the current one and the last good one before it.");

    public static final Setting<Boolean> VISIBLE_LOCKS = Setting.of(
            "state.visible-locks",
            Texts.bool(),
            "false",
            "Whether files beside the state show people who holds its lock; they decide nothing.");

    public static final Setting<Optional<String>> ENCRYPTION_KEY = Setting.optional(
            "state.encryption.key",
            KeySourceKind.ONE,
            "Where the master key is under which contents of state are encrypted: `file:` and a path, `env:` and a variable,"
                    + " or `kms:` and the ARN of a key; empty, and no `state.encryption.keys`: they are not encrypted.");

    public static final Setting<List<String>> ENCRYPTION_KEYS = Setting.of(
            "state.encryption.keys",
            KeySourceKind.SEVERAL,
            "",
            "Several of them: the first encrypts what is saved, all decrypt. `state.encryption.key` comes before them.");

    public static final Setting<Boolean> ENCRYPTION_REQUIRED = Setting.of(
            "state.encryption.required",
            Texts.bool(),
            "false",
            "Whether state that is not encrypted is refused when it is read; it needs a key.");

    private StateSettings() {}
}
