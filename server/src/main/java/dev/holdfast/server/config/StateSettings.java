package dev.holdfast.server.config;

import java.util.Optional;

/** {@code state.*} and {@code guard.*}. Declared and checked now; what reads them comes with state and guard. */
public final class StateSettings {
    /** Where documents are kept. */
    public static final Setting<Optional<String>> STORE = Setting.optional(
            "state.store", Texts.storeUrl(), "Where state documents are kept; empty: where the locks are.");

    /** Of one document. */
    public static final Setting<Long> MAX_SIZE = Setting.of(
            "state.max-size", Quantities.size("1KB", "1GB"), "64MB", "Largest state document; above it 413.");

    /** Who may end a lock by terraform's force-unlock. */
    public static final Setting<String> FORCE_UNLOCK = Setting.of(
            "state.force-unlock",
            Texts.choice("any", "stale-only", "deny"),
            "any",
            "Which locks terraform's force-unlock may end.");

    /** Where apps and decisions are kept. */
    public static final Setting<Optional<String>> GUARD_STORE = Setting.optional(
            "guard.store",
            Texts.storeUrl(),
            "Where apps and decisions of the guard are kept; empty: where the locks are.");

    /** How sure the guard must be. */
    public static final Setting<Integer> GUARD_DOWN_CONFIRMATIONS = Setting.of(
            "guard.down-confirmations",
            Quantities.integer(1, 100),
            "2",
            "How often in a row an app must be found down before it counts as down.");

    private StateSettings() {}
}
