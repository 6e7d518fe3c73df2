package dev.holdfast.server.config.settings;

import dev.holdfast.server.config.values.Texts;
import java.time.Duration;

/** Where locks are kept. */
public final class StoreSettings {
    /** The store's URL, with its password: never log it. */
    public static final Setting<String> STORE =
            Setting.computed("store", Texts.storeUrl(), "sqlite:<server.data>/holdfast.db?mode=exclusive");

    public static final Setting<Duration> CONNECT_WAIT = Setting.duration("store.connect-wait", "0s", "1h", "30s");

    private StoreSettings() {}
}
