package dev.holdfast.server.config.settings;

import dev.holdfast.server.config.values.WebhookEntry;
import dev.holdfast.server.config.values.WebhooksKind;
import java.time.Duration;
import java.util.List;

/** {@code notify.*}: who is told when something happens to locks. */
public final class NotifySettings {
    public static final String PREFIX = "notify.";

    public static final Setting<List<WebhookEntry>> WEBHOOKS = Setting.of("notify.webhooks", new WebhooksKind(), "[]");
    /** Longer than any write takes: a place in a queue that is not seen by then is not there. */
    public static final Setting<Duration> WAITS_LONGER_THAN =
            Setting.duration("notify.waits-longer-than", "10s", "7d", "10m");

    public static final Setting<Duration> TIMEOUT = Setting.duration("notify.timeout", "100ms", "1m", "10s");
    public static final Setting<Duration> GIVE_UP_AFTER = Setting.duration("notify.give-up-after", "1m", "7d", "24h");

    private NotifySettings() {}
}
