package dev.holdfast.server.config.settings;

import dev.holdfast.server.config.values.Texts;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/** Names other lock services and controllers use; they work here so that a deployment can be moved without rewriting it. */
public final class SeedSettings {
    public static final Setting<Optional<String>> DATABASE_URL = Setting.optional("database.url", Texts.storeUrl());
    public static final Setting<List<String>> PROFILES = Setting.of("spring.profiles.active", Texts.words(50), "");
    public static final Setting<String> DYNAMODB_TABLE = Setting.of(
            "locker.dynamodb.table-name",
            Texts.matching("[A-Za-z0-9_.-]{3,255}", "3 to 255 of A-Z a-z 0-9 _ . -"),
            "locks");
    public static final Setting<String> DYNAMODB_REGION = Setting.of(
            "locker.dynamodb.region",
            Texts.matching("[a-z0-9-]{2,40}", "the name of a region, such as us-east-1"),
            "us-east-1");
    public static final Setting<Optional<URI>> DYNAMODB_ENDPOINT =
            Setting.optional("locker.dynamodb.endpoint", Texts.webAddress());
    public static final Setting<Optional<String>> DYNAMODB_ACCESS_KEY_ID =
            Setting.optional("locker.dynamodb.access-key-id", Texts.text(200)).keptSecret();
    public static final Setting<Optional<String>> DYNAMODB_SECRET_ACCESS_KEY = Setting.optional(
                    "locker.dynamodb.secret-access-key", Texts.text(200))
            .keptSecret();
    public static final Setting<Optional<String>> HOSTNAME = Setting.optional("hostname", Texts.text(200));
    public static final Setting<Boolean> SHARED_DB_LOCK_ENABLED =
            Setting.bool("controller.shared-db-lock-enabled", true).alsoNamed("shared-db-lock-enabled");
    public static final Setting<Integer> LOCK_TTL_SECONDS = Setting.integer("controller.lock-ttl-seconds", 1, 3600, 60);
    public static final Setting<Integer> LOCK_MAX_RETRIES = Setting.integer("controller.lock-max-retries", 0, 100, 3);
    public static final Setting<Integer> QUICK_STATUS_TIMEOUT =
            Setting.integer("controller.quick-status-timeout", 1, 60, 3);
    public static final Setting<Optional<URI>> API_GATEWAY_URL =
            Setting.optional("controller.api-gateway-url", Texts.webAddress()).alsoNamed("api-gateway-url");

    private SeedSettings() {}
}
