package dev.holdfast.server.config;

import java.util.Optional;

/** {@code state.*}. Declared and checked now; what reads them comes with state. */
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

    private StateSettings() {}
}
