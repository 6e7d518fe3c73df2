package dev.holdfast.server;

import dev.holdfast.server.config.Settings;
import dev.holdfast.server.config.settings.NotifySettings;
import dev.holdfast.server.config.values.FileContent;
import dev.holdfast.server.config.values.Value;
import dev.holdfast.server.config.values.ValueRefusal;
import dev.holdfast.server.config.values.WebhookEntry;
import dev.holdfast.server.config.values.WebhooksKind;
import dev.holdfast.server.notify.NoticeKind;
import dev.holdfast.server.notify.NotifyOptions;
import dev.holdfast.server.notify.Webhook;
import dev.holdfast.spi.EventLog;
import dev.holdfast.spi.RecordStore;
import java.net.URI;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes of the settings somebody gave who is told what happens to locks. */
public final class NotifySetup {
    private static final Logger LOG = LoggerFactory.getLogger(HoldfastServer.class);
    private static final String VARIABLE = "env:";
    private static final String FILE = "file:";

    private NotifySetup() {}

    /**
     * Those these settings ask for.
     *
     * @param environment where addresses and secrets may stand
     * @throws IllegalArgumentException if one is not where the settings say; with no part of it
     */
    public static NotifyOptions of(Settings settings, Map<String, String> environment) {
        return new NotifyOptions(
                settings.get(NotifySettings.WEBHOOKS).stream()
                        .map(entry -> webhook(entry, environment))
                        .toList(),
                settings.get(NotifySettings.WAITS_LONGER_THAN),
                settings.get(NotifySettings.TIMEOUT),
                settings.get(NotifySettings.GIVE_UP_AFTER),
                NotifyOptions.Pace.USUAL);
    }

    /** The same for this store: looked at less often where each look costs money. */
    static NotifyOptions paced(NotifyOptions options, RecordStore store) {
        if (!options.webhooks().isEmpty() && !(store instanceof EventLog)) {
            LOG.warn(
                    "The {} store keeps no events, so webhooks only report long waits",
                    store.traits().name());
        }
        boolean sparing =
                ServerVitals.isCostly(store.traits()) && options.pace().equals(NotifyOptions.Pace.USUAL);
        return sparing ? options.at(NotifyOptions.Pace.SPARING) : options;
    }

    private static Webhook webhook(WebhookEntry entry, Map<String, String> environment) {
        String where = "notify.webhooks: of webhook '" + entry.id() + "'";
        return new Webhook(
                entry.id(),
                url(where, found(where, "url", entry.url(), environment)),
                entry.secret().map(secret -> secret(where, found(where, "secret", secret, environment))),
                entry.events().stream()
                        .map(NoticeKind::labelled)
                        .flatMap(Optional::stream)
                        .collect(Collectors.toSet()),
                entry.namespaces(),
                entry.locks(),
                Webhook.Format.valueOf(entry.format().toUpperCase(Locale.ROOT)));
    }

    private static URI url(String where, String text) {
        try {
            return WebhooksKind.address(text);
        } catch (ValueRefusal e) {
            throw new IllegalArgumentException(
                    where + " the url must be one of http or https, without user and password");
        }
    }

    private static String secret(String where, String text) {
        if (!WebhooksKind.isSecret(text)) {
            throw new IllegalArgumentException(
                    where + " the secret must be 16 to 512 printable characters without spaces");
        }
        return text;
    }

    private static String found(String where, String field, String text, Map<String, String> environment) {
        if (!WebhooksKind.isElsewhere(text)) {
            return text;
        }
        if (text.startsWith(VARIABLE)) {
            String name = text.substring(VARIABLE.length());
            return Optional.ofNullable(environment.get(name))
                    .map(String::strip)
                    .filter(value -> !value.isEmpty())
                    .orElseThrow(() -> new IllegalArgumentException(where + " the " + field
                            + " must be in environment variable " + name + ", which is not set"));
        }
        try {
            return FileContent.read(Path.of(""), Value.Text.of(text.substring(FILE.length())))
                    .strip();
        } catch (FileContent.Unreadable e) {
            throw new IllegalArgumentException(where + " the " + field + " " + e.getMessage());
        }
    }
}
