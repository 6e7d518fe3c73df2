package dev.holdfast.server.config.settings;

import dev.holdfast.server.config.values.Quantities;
import dev.holdfast.server.config.values.Texts;
import java.time.Duration;

/** Where locks are kept. */
public final class StoreSettings {
    /** The store's URL, with its password: never log it. */
    public static final Setting<String> STORE = Setting.computed(
            "store",
            Texts.storeUrl(),
            "sqlite:<server.data>/holdfast.db?mode=exclusive",
            "Where locks are kept. A `sqlite:` file is opened for this server alone, unless it says `?mode=shared`.");

    public static final Setting<Duration> CONNECT_WAIT = Setting.of(
            "store.connect-wait",
            Quantities.duration("0s", "1h"),
            "30s",
            "How long the start waits for a store that is not there yet, or too busy; `0s` tries once. Also for `state.store`;"
                    + " `connect_wait` in a URL goes first.");

    private StoreSettings() {}
}
