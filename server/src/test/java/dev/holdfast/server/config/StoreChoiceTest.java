package dev.holdfast.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.config.settings.SeedSettings;
import dev.holdfast.server.config.settings.StoreSettings;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreChoiceTest {
    @TempDir
    Path directory;

    private Sources sources;

    @BeforeEach
    void fresh() {
        sources = new Sources(directory);
    }

    private String store() {
        return sources.load().get(StoreSettings.STORE);
    }

    @Test
    @DisplayName("without a store it is a file in the data directory, for this server alone")
    void embedded() {
        assertThat(sources.flags("--data=/var/lib/holdfast").load().get(StoreSettings.STORE))
                .isEqualTo("sqlite:/var/lib/holdfast/holdfast.db?mode=exclusive");
        assertThat(sources.load().origin(StoreSettings.STORE)).hasToString("flag --data");
        assertThat(sources.flags("--data=what?").problems())
                .singleElement()
                .asString()
                .contains("'?'");
    }

    @Test
    @DisplayName("an SQLite file is opened for this server alone, unless the URL says otherwise")
    void sqlite() {
        assertThat(sources.flags("--store=sqlite:a.db").load().get(StoreSettings.STORE))
                .isEqualTo("sqlite:a.db?mode=exclusive");
        assertThat(sources.flags("--store=sqlite:a.db?mode=shared").load().get(StoreSettings.STORE))
                .isEqualTo("sqlite:a.db?mode=shared");
        assertThat(sources.flags("--store=sqlite:a.db?connect_wait=5s").load().get(StoreSettings.STORE))
                .isEqualTo("sqlite:a.db?connect_wait=5s&mode=exclusive");
    }

    @Test
    @DisplayName("DATABASE_URL chooses the store, above the file and below store in the environment or a flag")
    void databaseUrl() throws Exception {
        sources.env("DATABASE_URL", "postgresql://app:pw@db/shop").yaml("store: sqlite:file.db");
        assertThat(store()).isEqualTo("postgresql://app:pw@db/shop");
        assertThat(sources.load().origin(StoreSettings.STORE)).hasToString("environment DATABASE_URL");
        assertThat(sources.load().toString()).doesNotContain("pw@");
        sources.env("HOLDFAST_STORE", "memory:");
        assertThat(store()).isEqualTo("memory:");
        assertThat(sources.flags("--store", "mariadb://db/x").load().get(StoreSettings.STORE))
                .isEqualTo("mariadb://db/x");
    }

    @Test
    @DisplayName("the profile dynamodb chooses that store, with the locker settings, and its secret is not shown")
    void dynamodb() {
        sources.env("SPRING_PROFILES_ACTIVE", "dynamodb");
        assertThat(store()).isEqualTo("dynamodb://us-east-1/locks");
        sources.env("LOCKER_DYNAMODB_REGION", "eu-west-1")
                .env("LOCKER_DYNAMODB_ENDPOINT", "http://localhost:8000")
                .env("LOCKER_DYNAMODB_TABLENAME", "mine")
                .env("LOCKER_DYNAMODB_ACCESSKEYID", "AKID")
                .env("LOCKER_DYNAMODB_SECRETACCESSKEY", "hu/sh");
        assertThat(store()).isEqualTo("dynamodb://AKID:hu%2Fsh@eu-west-1/mine?endpoint=http%3A%2F%2Flocalhost%3A8000");
        assertThat(sources.load().toString()).doesNotContain("hu%2Fsh").doesNotContain("hu/sh");
        assertThat(sources.load().get(SeedSettings.DYNAMODB_SECRET_ACCESS_KEY)).contains("hu/sh");
        assertThat(sources.flags("--store=memory:").load().get(StoreSettings.STORE))
                .isEqualTo("memory:");
    }

    @Test
    @DisplayName("DynamoDB is told how long this server keeps idle locks and events, unless the URL says it")
    void dynamodbRetention() {
        sources.env("SPRING_PROFILES_ACTIVE", "dynamodb")
                .env("LOCKS_RETENTION", "2h")
                .env("HISTORY_RETENTION", "365d");
        assertThat(store()).isEqualTo("dynamodb://us-east-1/locks?retention=7200s&history-retention=31536000s");
        assertThat(sources.flags("--store=dynamodb://eu-west-1/mine?history=off&retention=3h")
                        .load()
                        .get(StoreSettings.STORE))
                .isEqualTo("dynamodb://eu-west-1/mine?history=off&retention=3h&history-retention=31536000s");
        assertThat(sources.flags("--store=postgresql://db/x").load().get(StoreSettings.STORE))
                .isEqualTo("postgresql://db/x");
    }

    @Test
    @DisplayName("other profiles are ignored with a note")
    void otherProfiles() {
        sources.env("SPRING_PROFILES_ACTIVE", "prod,redis");
        assertThat(store()).startsWith("sqlite:");
        assertThat(sources.load().notes()).singleElement().asString().contains("prod, redis", "ignored");
    }

    @Test
    @DisplayName("two that choose in one source are refused, unless store decides")
    void twoChoices() {
        sources.env("SPRING_PROFILES_ACTIVE", "dynamodb").env("DATABASE_URL", "postgresql://db/x");
        assertThat(sources.problems())
                .containsExactly("both environment DATABASE_URL and environment SPRING_PROFILES_ACTIVE choose a store;"
                        + " remove one, or say which with store");
        assertThat(sources.env("HOLDFAST_STORE", "memory:").load().get(StoreSettings.STORE))
                .isEqualTo("memory:");
    }
}
