package dev.holdfast.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.config.settings.SeedSettings;
import dev.holdfast.server.config.settings.ServerSettings;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EnvironmentTest {
    @TempDir
    Path directory;

    private Sources sources;

    @BeforeEach
    void fresh() {
        sources = new Sources(directory);
    }

    @Test
    @DisplayName("a variable that begins like ours and means nothing is refused, with the one that was meant")
    void unknownVariables() {
        sources.env("HOLDFAST_SERVER_PROT", "1")
                .env("JWT_AUDIENC", "x")
                .env("LOCKER_DYNAMODB_REGIO", "x")
                .env("LOCKER_REDIS_HOST", "x");
        assertThat(sources.problems())
                .containsExactly(
                        "environment variable HOLDFAST_SERVER_PROT is not a setting of this server; did you mean HOLDFAST_SERVER_PORT?",
                        "environment variable JWT_AUDIENC is not a setting of this server; did you mean JWT_AUDIENCE?",
                        "environment variable LOCKER_DYNAMODB_REGIO is not a setting of this server; did you mean"
                                + " LOCKER_DYNAMODB_REGION?",
                        "environment variable LOCKER_REDIS_HOST is not a setting of this server; all keys are listed by:"
                                + " holdfast config keys");
    }

    @Test
    @DisplayName("one that may be another program's is only noted; all others are ignored")
    void otherVariables() {
        Settings settings = sources.env("AUTHENTICATION_DISABLD", "true")
                .env("PATH", "/bin")
                .env("SERVER_PROT", "1")
                .env("PORT", "1")
                .env("CONFIG", "1")
                .load();
        assertThat(settings.notes())
                .containsExactly(
                        "environment variable AUTHENTICATION_DISABLD is not a setting of this server; did you mean"
                                + " AUTHENTICATION_DISABLED?");
        assertThat(settings.get(ServerSettings.PORT)).isEqualTo(8080);
    }

    @Test
    @DisplayName("the variables of the commands are left alone")
    void commandVariables() {
        Settings settings = sources.env("HOLDFAST_SERVER", "http://other:1")
                .env("HOLDFAST_TOKEN", "hf_x")
                .env("HOLDFAST_KEY", "k")
                .env("HOLDFAST_FENCING_TOKEN", "1")
                .env("HOLDFAST_LEASE_ID", "x")
                .env("HOLDFAST_CONTEXT", "prod")
                .env("HOLDFAST_STACK", "shop")
                .env("HOLDFAST_ENVIRONMENT", "prod")
                .env("HOLDFAST_STATE_BASE", "v1")
                .env("HOLDFAST_DB_IDENTIFIER", "i-0a")
                .env("HOLDFAST_DB_TYPES", "postgres")
                .env("HOLDFAST_ACTION", "stop")
                .env("HOLDFAST_REASON", "night")
                .load();
        assertThat(settings.lines()).allMatch(line -> line.origin().level() == Origin.Level.DEFAULT);
    }

    @Test
    @DisplayName("short names work with the prefix")
    void shortNames() {
        Settings settings = sources.env("HOLDFAST_PORT", "1")
                .env("HOLDFAST_DATA", "d")
                .env("HOLDFAST_HOST", "localhost")
                .load();
        assertThat(settings.get(ServerSettings.PORT)).isEqualTo(1);
        assertThat(settings.get(ServerSettings.DATA)).isEqualTo(Path.of("d"));
        assertThat(settings.get(ServerSettings.HOST)).isEqualTo("localhost");
    }

    @Test
    @DisplayName("what Kubernetes sets for services called holdfast and server is not taken for settings")
    void serviceLinks() {
        Settings settings = sources.env("HOLDFAST_PORT", "tcp://10.0.0.1:8080")
                .env("HOLDFAST_SERVICE_HOST", "10.0.0.1")
                .env("HOLDFAST_SERVICE_PORT", "8080")
                .env("HOLDFAST_SERVICE_PORT_HTTP", "8080")
                .env("HOLDFAST_PORT_8080_TCP", "tcp://10.0.0.1:8080")
                .env("HOLDFAST_PORT_8080_TCP_PROTO", "tcp")
                .env("HOLDFAST_PORT_8080_TCP_ADDR", "10.0.0.1")
                .env("SERVER_PORT", "tcp://10.0.0.2:80")
                .env("HOLDFAST_SERVER_PORT", "tcp://10.0.0.2:80")
                .load();
        assertThat(settings.get(ServerSettings.PORT)).isEqualTo(8080);
        assertThat(settings.notes()).isEmpty();
    }

    @Test
    @DisplayName("the controller's names work, with and without their section")
    void controllerNames() throws Exception {
        sources.env("SHARED_DB_LOCK_ENABLED", "false")
                .env("API_GATEWAY_URL", "https://gateway")
                .yaml(
                        "controller:",
                        "  shared_db_lock_enabled: true",
                        "  lock_ttl_seconds: 90",
                        "  lock_max_retries: 5",
                        "  quick_status_timeout: 4");
        Settings settings = sources.load();
        assertThat(settings.get(SeedSettings.SHARED_DB_LOCK_ENABLED)).isFalse();
        assertThat(settings.get(SeedSettings.API_GATEWAY_URL)).isPresent();
        assertThat(settings.get(SeedSettings.LOCK_TTL_SECONDS)).isEqualTo(90);
        assertThat(settings.get(SeedSettings.LOCK_MAX_RETRIES)).isEqualTo(5);
        assertThat(settings.get(SeedSettings.QUICK_STATUS_TIMEOUT)).isEqualTo(4);
    }

    @Test
    @DisplayName("the node is called as said, else by HOSTNAME, else by the machine's name")
    void nodeName() throws Exception {
        assertThat(sources.load().get(ServerSettings.NODE)).isNotBlank();
        sources.env("HOSTNAME", "web-1");
        assertThat(sources.load().get(ServerSettings.NODE)).isEqualTo("web-1");
        assertThat(sources.load().origin(ServerSettings.NODE)).hasToString("environment HOSTNAME");
        assertThat(sources.yaml("server.node: replica-a").load().get(ServerSettings.NODE))
                .isEqualTo("replica-a");
    }
}
