package dev.holdfast.server.config;

/** Where locks are kept. */
public final class StoreSettings {
    /** The store's URL, with its password: never log it. */
    public static final Setting<String> STORE = Setting.computed(
            "store",
            Texts.storeUrl(),
            "sqlite:<server.data>/holdfast.db?mode=exclusive",
            "Where locks are kept. A `sqlite:` file is opened for this server alone, unless it says `?mode=shared`.");

    private StoreSettings() {}
}
