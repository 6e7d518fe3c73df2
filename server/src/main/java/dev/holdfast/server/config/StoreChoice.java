package dev.holdfast.server.config;

import dev.holdfast.Stores;
import dev.holdfast.server.config.settings.LockSettings;
import dev.holdfast.server.config.settings.SeedSettings;
import dev.holdfast.server.config.settings.ServerSettings;
import dev.holdfast.server.config.settings.Setting;
import dev.holdfast.server.config.settings.StoreSettings;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Which store: {@code store}, else {@code DATABASE_URL}, else the profile {@code dynamodb}, of the strongest source that
 * has any of them; else a file in the data directory.
 */
record StoreChoice(SettingsResolver settings, Problems problems) {
    private static final String DYNAMODB = "dynamodb";
    private static final List<Setting<?>> CHOOSING =
            List.of(StoreSettings.STORE, SeedSettings.DATABASE_URL, SeedSettings.PROFILES);

    void make() {
        noteOtherProfiles();
        for (Layer layer : settings.layers()) {
            List<Layer.SourceValue> given = CHOOSING.stream()
                    .flatMap(setting -> layer.get(setting).stream())
                    .filter(this::chooses)
                    .toList();
            if (!given.isEmpty()) {
                choose(given);
                return;
            }
        }
        settings.get(ServerSettings.DATA).ifPresent(this::embedded);
    }

    /** A profile chooses only if it is ours; an empty DATABASE_URL chooses nothing. */
    private boolean chooses(Layer.SourceValue given) {
        if (given.setting().equals(SeedSettings.PROFILES)) {
            return settings.get(SeedSettings.PROFILES)
                    .filter(profiles -> profiles.contains(DYNAMODB))
                    .isPresent();
        }
        return !given.value().written().isBlank();
    }

    private void choose(List<Layer.SourceValue> given) {
        Layer.SourceValue first = given.get(0);
        if (first.setting().equals(StoreSettings.STORE)) {
            settings.get(StoreSettings.STORE).ifPresent(url -> put(url, first.origin()));
        } else if (given.size() > 1) {
            problems.add("both " + first.origin() + " and " + given.get(1).origin()
                    + " choose a store; remove one, or say which with store");
        } else if (first.setting().equals(SeedSettings.DATABASE_URL)) {
            settings.optional(SeedSettings.DATABASE_URL).ifPresent(url -> put(url, first.origin()));
        } else {
            dynamodb(first.origin());
        }
    }

    private void put(String url, Origin origin) {
        put(url, url, origin);
    }

    /** The same, shown as another one: with less in it. */
    private void put(String url, String shown, Origin origin) {
        settings.put(StoreSettings.STORE, forThisServer(url), Stores.masked(forThisServer(shown)), origin);
    }

    /** What only the server knows is added, unless the URL says it. */
    private String forThisServer(String url) {
        String lower = url.toLowerCase(Locale.ROOT);
        if (lower.startsWith("sqlite:") || lower.startsWith("jdbc:sqlite:")) {
            // A server has the file for itself: it is faster, and others are told who has it.
            boolean said = lower.matches(".*[?&]mode=.*");
            return said ? url : url + (url.contains("?") ? "&" : "?") + "mode=exclusive";
        }
        if (lower.startsWith(DYNAMODB + "://")) {
            // DynamoDB itself removes what is old, by an end that is written into every item.
            return with(
                    with(url, "retention", LockSettings.RETENTION),
                    "history-retention",
                    LockSettings.HISTORY_RETENTION);
        }
        return url;
    }

    /** Left to the store where nobody changed it: a URL with less in it is read more easily. */
    private String with(String url, String parameter, Setting<Duration> setting) {
        boolean said = url.matches("(?i).*[?&]" + parameter + "=.*");
        return said || !settings.isGiven(setting)
                ? url
                : settings.get(setting)
                        .map(time -> url + (url.contains("?") ? "&" : "?") + parameter + "=" + time.toSeconds() + "s")
                        .orElse(url);
    }

    private void embedded(Path data) {
        if (data.toString().contains("?")) {
            problems.add(
                    "server.data (" + settings.originOf(ServerSettings.DATA)
                            + ") must not contain '?', where the path in a sqlite: URL ends; choose another directory, or set store");
            return;
        }
        String url = forThisServer("sqlite:" + data.resolve("holdfast.db"));
        settings.put(StoreSettings.STORE, url, url, settings.originOf(ServerSettings.DATA));
    }

    private void dynamodb(Origin origin) {
        Optional<String> table = settings.get(SeedSettings.DYNAMODB_TABLE);
        Optional<String> region = settings.get(SeedSettings.DYNAMODB_REGION);
        Optional<URI> endpoint = settings.optional(SeedSettings.DYNAMODB_ENDPOINT);
        if (table.isPresent() && region.isPresent()) {
            String at =
                    endpoint.map(uri -> "?endpoint=" + encoded(uri.toString())).orElse("");
            String credentials = credentials();
            String place = region.get() + "/" + table.get() + at;
            // Both halves are settings that are kept secret, so neither is shown here.
            put(
                    DYNAMODB + "://" + credentials + place,
                    DYNAMODB + "://" + (credentials.isEmpty() ? "" : "***:***@") + place,
                    origin);
        }
    }

    /** Before the region, where the secret is masked when the URL is shown; without them the usual chain finds some. */
    private String credentials() {
        Optional<String> key = settings.optional(SeedSettings.DYNAMODB_ACCESS_KEY_ID);
        Optional<String> secret = settings.optional(SeedSettings.DYNAMODB_SECRET_ACCESS_KEY);
        return key.isPresent() && secret.isPresent() ? encoded(key.get()) + ":" + encoded(secret.get()) + "@" : "";
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private void noteOtherProfiles() {
        List<String> others = settings.get(SeedSettings.PROFILES).orElse(List.of()).stream()
                .filter(profile -> !profile.equals(DYNAMODB))
                .toList();
        if (!others.isEmpty()) {
            problems.note("spring.profiles.active ("
                    + settings.originOf(SeedSettings.PROFILES)
                    + "): the profile " + String.join(", ", others)
                    + " means nothing here and is ignored; there is only dynamodb");
        }
    }
}
