package dev.holdfast.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.server.config.settings.AuthSettings;
import dev.holdfast.server.config.settings.LimitSettings;
import dev.holdfast.server.config.settings.LockSettings;
import dev.holdfast.server.config.settings.ObserveSettings;
import dev.holdfast.server.config.settings.SeedSettings;
import dev.holdfast.server.config.settings.ServerSettings;
import dev.holdfast.server.config.settings.StoreSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {
    @TempDir
    Path directory;

    private Sources sources;

    @BeforeEach
    void fresh() {
        sources = new Sources(directory);
    }

    @Test
    @DisplayName("with nothing given every setting has its default, and says so")
    void defaults() {
        Settings settings = sources.load();
        assertThat(settings.get(ServerSettings.PORT)).isEqualTo(8080);
        assertThat(settings.get(LockSettings.DEFAULT_LEASE)).isEqualTo(Duration.ofSeconds(30));
        assertThat(settings.get(LimitSettings.BODY)).isEqualTo(16 * 1024L);
        assertThat(settings.get(AuthSettings.JWT_ISSUER)).isEmpty();
        assertThat(settings.get(StoreSettings.STORE)).isEqualTo("sqlite:./holdfast-data/holdfast.db?mode=exclusive");
        assertThat(settings.origin(ServerSettings.PORT)).hasToString("default");
        assertThat(settings.lines()).hasSameSizeAs(Settings.declared());
        assertThat(settings.authConfigured()).isFalse();
    }

    @Test
    @DisplayName("a flag wins over the environment, that over the file, that over the default")
    void order() throws Exception {
        sources.yaml("server:", "  port: 1001", "  data: from-file", "locks.default-lease: 10s")
                .env("SERVER_PORT", "1002")
                .env("SERVER_DATA", "from-environment")
                .flags("--server.port=1003");
        Settings settings = sources.load();
        assertThat(settings.get(ServerSettings.PORT)).isEqualTo(1003);
        assertThat(settings.origin(ServerSettings.PORT)).hasToString("flag --server.port");
        assertThat(settings.get(ServerSettings.DATA)).isEqualTo(Path.of("from-environment"));
        assertThat(settings.origin(ServerSettings.DATA)).hasToString("environment SERVER_DATA");
        assertThat(settings.get(LockSettings.DEFAULT_LEASE)).isEqualTo(Duration.ofSeconds(10));
        assertThat(settings.origin(LockSettings.DEFAULT_LEASE)).hasToString("holdfast.yaml:4");
        assertThat(settings.origin(ServerSettings.HOST).level()).isEqualTo(Origin.Level.DEFAULT);
    }

    @ParameterizedTest
    @DisplayName("a variable may be spelled in many ways")
    @ValueSource(
            strings = {
                "LOCKER_DYNAMODB_TABLENAME",
                "LOCKER_DYNAMODB_TABLE_NAME",
                "locker.dynamodb.tableName",
                "HOLDFAST_LOCKER_DYNAMODB_TABLE_NAME"
            })
    void relaxedVariables(String name) {
        assertThat(sources.env(name, "mine").load().get(SeedSettings.DYNAMODB_TABLE))
                .isEqualTo("mine");
    }

    @ParameterizedTest
    @DisplayName("a key of the file may be spelled in many ways")
    @ValueSource(
            strings = {
                "locker.dynamodb.tableName: mine",
                "locker: {dynamodb: {table-name: mine}}",
                "locker.dynamodb: {table_name: mine}",
                "LOCKER_DYNAMODB_TABLE_NAME: mine"
            })
    void relaxedKeys(String line) throws Exception {
        assertThat(sources.yaml(line).load().get(SeedSettings.DYNAMODB_TABLE)).isEqualTo("mine");
    }

    @Test
    @DisplayName("flags: with =, with a space, short, and alone for what is true or false")
    void flags() {
        Settings settings = sources.flags(
                        "--port",
                        "9000",
                        "--host=::1",
                        "--data",
                        "here",
                        "--metrics.lock-name-label",
                        "--history.enabled",
                        "false",
                        "--store=memory:",
                        "--demo")
                .load();
        assertThat(settings.get(ServerSettings.PORT)).isEqualTo(9000);
        assertThat(settings.get(ServerSettings.HOST)).isEqualTo("::1");
        assertThat(settings.get(ServerSettings.DATA)).isEqualTo(Path.of("here"));
        assertThat(settings.get(ObserveSettings.METRICS_LOCK_NAME_LABEL)).isTrue();
        assertThat(settings.get(LockSettings.HISTORY_ENABLED)).isFalse();
        assertThat(settings.get(ServerSettings.DEMO)).isTrue();
        assertThat(settings.get(StoreSettings.STORE)).isEqualTo("memory:");
        assertThat(settings.origin(ServerSettings.PORT)).hasToString("flag --port");
    }

    @Test
    @DisplayName("a flag without its value, an unknown flag and a stray word are told together")
    void wrongFlags() {
        assertThat(sources.flags("stray", "--server.prot=1", "--nothing-like-it", "--port")
                        .problems())
                .containsExactly(
                        "argument 1 is not a flag; write --key=value",
                        "flag --server.prot is unknown; did you mean --server.port?",
                        "flag --nothing-like-it is unknown; all keys are listed by: holdfast config keys",
                        "flag --port needs a value: --port=…");
    }

    @Test
    @DisplayName("an unknown flag is answered with the short form that was meant; its last word is enough to know")
    void meantFlags() {
        assertThat(sources.flags("--prt=9", "--hots=x", "--http.port=1", "--retentoin=1h")
                        .problems())
                .containsExactly(
                        "flag --prt is unknown; did you mean --port?",
                        "flag --hots is unknown; did you mean --host?",
                        "flag --http.port is unknown; did you mean --server.port?",
                        "flag --retentoin is unknown; did you mean --locks.retention?");
    }

    @Test
    @DisplayName("all problems of all sources are reported at once, each with its origin and rule")
    void allAtOnce() throws Exception {
        sources.env("SERVER_PORT", "99999")
                .flags("--locks.max-lease=2d")
                .yaml("locks:", "  default-lease: soon", "lokcs.retention: 1h", "logging.format: xml");
        assertThat(sources.problems())
                .containsExactlyInAnyOrder(
                        "server.port (environment SERVER_PORT) must be between 0 and 65535, was '99999'",
                        "locks.max-lease (flag --locks.max-lease) must be between 1s and 24h, was '2d'",
                        "locks.default-lease (holdfast.yaml:2) must be a time between 100ms and 24h, with its unit"
                                + " (ms, s, m, h or d), was 'soon'",
                        "unknown key 'lokcs.retention' (holdfast.yaml:3); did you mean locks.retention?",
                        "logging.format (holdfast.yaml:4) must be one of console, json, was 'xml'");
        assertThatThrownBy(sources::load).hasMessageStartingWith("The configuration has 5 problems:\n  - ");
    }

    @Test
    @DisplayName("a wrong value that a stronger source replaces does no harm")
    void replaced() throws Exception {
        sources.yaml("server.port: nonsense").flags("--port=1");
        assertThat(sources.load().get(ServerSettings.PORT)).isEqualTo(1);
    }

    @Test
    @DisplayName("a key given twice in one source is refused if the values differ")
    void twice() throws Exception {
        sources.env("SERVER_PORT", "1")
                .env("HOLDFAST_SERVER_PORT", "2")
                .yaml("server.host: localhost", "server: {host: \"::1\"}");
        assertThat(sources.problems())
                .containsExactlyInAnyOrder(
                        "server.port is given twice with different values, by environment HOLDFAST_SERVER_PORT and by"
                                + " environment SERVER_PORT; keep one",
                        "server.host is given twice with different values, by holdfast.yaml:1 and by holdfast.yaml:2;"
                                + " keep one");
        Sources same = new Sources(directory.resolve("elsewhere"))
                .env("SERVER_PORT", "1")
                .env("HOLDFAST_SERVER_PORT", "1");
        assertThat(same.load().get(ServerSettings.PORT)).isEqualTo(1);
    }

    @Test
    @DisplayName("a variable that ends in _FILE names a file with the value; the newline at its end is not part of it")
    void fromFile() throws Exception {
        sources.file("secret", "s3cret\r\n").file("store", "postgresql://app:pw@db/locks\n");
        Settings settings = sources.env("LOCKER_DYNAMODB_SECRET_ACCESS_KEY_FILE", "secret")
                .env("LOCKER_DYNAMODB_ACCESS_KEY_ID", "AKID")
                .env("HOLDFAST_STORE_FILE", directory.resolve("store").toString())
                .load();
        assertThat(settings.get(SeedSettings.DYNAMODB_SECRET_ACCESS_KEY)).contains("s3cret");
        assertThat(settings.get(StoreSettings.STORE)).isEqualTo("postgresql://app:pw@db/locks");
        assertThat(settings.origin(StoreSettings.STORE)).hasToString("environment HOLDFAST_STORE_FILE");

        sources.file("port", "1\n").env("SERVER_PORT", "1").env("SERVER_PORT_FILE", "port");
        assertThat(sources.load().get(ServerSettings.PORT)).isEqualTo(1);
    }

    @Test
    @DisplayName("a setting that is itself a file is not read: AUDIT_FILE names the audit log")
    void fileSettings() throws Exception {
        Settings settings = sources.env("AUDIT_FILE", "audit.log")
                .env("LOGGING_FILE", "x.log")
                .load();
        assertThat(settings.get(ObserveSettings.AUDIT_FILE)).contains(Path.of("audit.log"));
        assertThat(settings.get(ObserveSettings.LOGGING_FILE)).contains(Path.of("x.log"));
    }

    @Test
    @DisplayName("a _FILE that is missing, too large or not text is a problem that names it")
    void badFiles() throws Exception {
        sources.file("large", "x".repeat(64 * 1024 + 1))
                .env("JWT_AUDIENCE_FILE", "missing")
                .env("JWT_ISSUER_FILE", "large");
        assertThat(sources.problems())
                .containsExactly(
                        "jwt.audience (environment JWT_AUDIENCE_FILE) names '" + directory.resolve("missing")
                                + "', which does not exist",
                        "jwt.issuer (environment JWT_ISSUER_FILE) names '" + directory.resolve("large")
                                + "', which is larger than 64 KB");
    }

    @Test
    @DisplayName("an empty variable counts as not set")
    void emptyVariable() {
        Settings settings =
                sources.env("SERVER_PORT", "").env("JWT_ISSUER", " ").load();
        assertThat(settings.get(ServerSettings.PORT)).isEqualTo(8080);
        assertThat(settings.get(AuthSettings.JWT_ISSUER)).isEqualTo(Optional.empty());
    }

    @Test
    @DisplayName("no secret is shown: not in lines, toString, problems, nor in what a draft prints")
    void secrets() throws Exception {
        sources.env("LOCKER_DYNAMODB_ACCESS_KEY_ID", "AKIDEXAMPLE")
                .env("LOCKER_DYNAMODB_SECRET_ACCESS_KEY", "hunter2hunter2")
                .env("HOLDFAST_STORE", "postgresql://app:hunter2@db/locks?password=hunter2")
                .flags("--auth.tokens=[{id: ci, sha256: " + "ab".repeat(32) + ", roles: {'*': [read]}}]");
        Settings settings = sources.load();
        assertThat(settings.toString())
                .doesNotContain("hunter2", "AKIDEXAMPLE", "abab")
                .contains("postgresql://app:***@db/locks?password=***", "id: ci");
        assertThat(settings.get(AuthSettings.TOKENS).toString()).doesNotContain("abab");

        String wrong = "hunter2" + "x".repeat(300);
        sources.env("LOCKER_DYNAMODB_SECRET_ACCESS_KEY", wrong)
                .env("HOLDFAST_STORE", "hunter2 is no URL")
                .env("JWT_JWKS", "https://me:hunter2@keys/")
                .flags("--auth.tokens=[{id: ci, sha256: hunter2, roles: {'*': [read]}}]");
        assertThat(sources.problems()).hasSize(4).noneMatch(problem -> problem.contains("hunter2"));
    }
}
