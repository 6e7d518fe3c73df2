package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.TestServer.Answer;
import dev.holdfast.server.auth.Digest;
import dev.holdfast.server.auth.Grants;
import dev.holdfast.server.auth.Role;
import dev.holdfast.server.auth.TokenEntry;
import dev.holdfast.server.auth.login.AuthConfig;
import dev.holdfast.server.config.Settings;
import dev.holdfast.server.config.settings.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("a server asked about itself")
class AboutTest {
    private static final String SECRET = "ma5rk3r";
    private static final String ADMIN = "hf_admin-" + SECRET;

    private static final String HOOK = "https://x.example.com/" + SECRET;

    /** A value with a secret in it for each setting that can have one. */
    private static final Map<String, String> WITH_SECRETS = Map.of(
            "store", "postgresql://app:" + SECRET + "@db/locks?sslpassword=" + SECRET,
            "state.store", "mariadb://app:" + SECRET + "@db/state?password=" + SECRET,
            "guard.store", "s3://bucket/guard?access_key=" + SECRET + "&secret_key=" + SECRET,
            "database.url", "postgresql://app:" + SECRET + "@db/locks?sslpassword=" + SECRET,
            "locker.dynamodb.access-key-id", SECRET,
            "locker.dynamodb.secret-access-key", SECRET,
            "tracing.endpoint", "https://traces.example.com/v1?token=" + SECRET,
            "jwt.jwks", "https://login.example.com/keys?secret=" + SECRET);

    @TempDir
    private Path directory;

    private Answer settings(List<String> flags, Map<String, String> environment) {
        ServerOptions options =
                ServerSetup.of(Settings.load(flags, environment, directory)).inMemory();
        try (TestServer server = TestServer.start(options.on(0, "memory:"))) {
            return server.send(server.request("/v2/settings")
                    .header("Authorization", "Bearer " + ADMIN)
                    .GET());
        }
    }

    private static Json item(Answer answer, String name) {
        return answer.json().get("items").list().stream()
                .filter(item -> item.get("name").text().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    @DisplayName("tells its version, its store, and since when it runs; one on a store of its own is the only replica")
    void server() {
        try (TestServer server = TestServer.onMemory()) {
            Json about = server.get("/v2/server").json();
            assertThat(about.get("node").text()).isEqualTo("node-1");
            assertThat(about.get("store").text()).isEqualTo("memory");
            assertThat(about.get("version").text()).isEqualTo(ServerVersion.text());
            assertThat(about.get("java").text()).startsWith(Runtime.version().toString());
            assertThat(about.get("store_shared").value()).isEqualTo(false);
            assertThat(Instant.parse(about.get("started_at").text())).isBeforeOrEqualTo(Instant.now());
            assertThat(((Number) about.get("uptime_ms").value()).longValue()).isBetween(0L, 600_000L);
        }
    }

    @Test
    @DisplayName(
            "tells every setting with its value and where that came from: a flag, the environment, a line of a file")
    void origins() throws IOException {
        Files.writeString(directory.resolve("holdfast.yaml"), "server:\n  node: locks-0\nlocks:\n  stale-after: 9m\n");
        Answer answer =
                settings(List.of("--server.port=0", "--server.limits.burst=77"), Map.of("LOGGING_LEVEL", "debug"));
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().get("items").list())
                .extracting(item -> item.get("name").text())
                .containsExactlyElementsOf(
                        Settings.declared().stream().<String>map(Setting::name).toList());
        assertOrigin(item(answer, "server.limits.burst"), "77", "flag", "flag --server.limits.burst");
        assertOrigin(item(answer, "logging.level"), "debug", "environment", "environment LOGGING_LEVEL");
        assertOrigin(item(answer, "locks.stale-after"), "9m", "file", "holdfast.yaml:4");
        Json usual = item(answer, "logging.format");
        assertThat(usual.get("changed").value()).isEqualTo(false);
        assertThat(usual.get("source").text()).isEqualTo("default");
        assertThat(usual.get("description").text()).isNotEmpty();
    }

    private static void assertOrigin(Json item, String value, String source, String origin) {
        assertThat(item.get("value").text()).isEqualTo(value);
        assertThat(item.get("changed").value()).isEqualTo(true);
        assertThat(item.get("source").text()).isEqualTo(source);
        assertThat(item.get("origin").text()).endsWith(origin);
    }

    @Test
    @DisplayName("a value that is given, and is the default, is no change, however it is spelled")
    void sameAsDefault() {
        Answer answer = settings(List.of("--locks.stale-after=" + defaultOf("locks.stale-after")), Map.of());
        assertThat(item(answer, "locks.stale-after").get("source").text()).isEqualTo("flag");
        assertThat(item(answer, "locks.stale-after").get("changed").value()).isEqualTo(false);
    }

    private static String defaultOf(String name) {
        return Settings.declared().stream()
                .filter(setting -> setting.name().equals(name))
                .map(Setting::defaultText)
                .findFirst()
                .orElseThrow();
    }

    @Test
    @DisplayName("never tells a secret: not of a store's address, not a key, not a token or its hash")
    void secrets() throws IOException {
        String hash = Digest.of(ADMIN).hex();
        Files.writeString(
                directory.resolve("holdfast.yaml"),
                "auth:\n  tokens:\n    - {id: ops, sha256: \"" + hash + "\", roles: {\"*\": [admin]}}\n"
                        + "guard:\n  actuators:\n    hook: {type: http, stop_url: \"" + HOOK + "\", start_url: \""
                        + HOOK
                        + "\", status_url: \"" + HOOK + "\"}\n");
        assertThat(WITH_SECRETS.keySet())
                .as("a setting that is kept secret belongs in this test")
                .containsAll(Settings.declared().stream()
                        .filter(Setting::isSecret)
                        .<String>map(Setting::name)
                        .toList());
        for (Map.Entry<String, String> given : WITH_SECRETS.entrySet()) {
            List<String> flags = new ArrayList<>(List.of("--" + given.getKey() + "=" + given.getValue()));
            if (given.getKey().startsWith("locker.")) {
                flags.add("--spring.profiles.active=dynamodb");
                flags.addAll(WITH_SECRETS.entrySet().stream()
                        .filter(other -> other.getKey().startsWith("locker.") && !other.equals(given))
                        .map(other -> "--" + other.getKey() + "=" + other.getValue())
                        .toList());
            }
            if (given.getKey().startsWith("jwt.")) {
                flags.add("--jwt.audience=holdfast");
            }
            Answer answer = settings(flags, Map.of());
            assertThat(answer.status()).as(answer.body()).isEqualTo(200);
            // Not doesNotContain, which would print the whole answer.
            assertThat(answer.body().contains(SECRET) || answer.body().contains(hash))
                    .as(given.getKey())
                    .isFalse();
            Json item = item(answer, given.getKey());
            assertThat(item.get("value").text()).as(given.getKey()).contains("***");
            assertThat(item.get("masked").value()).as(given.getKey()).isEqualTo(true);
        }
    }

    @Test
    @DisplayName("tells settings only to who is admin everywhere; who may read anything learns which server it is")
    void roles() {
        AuthConfig auth = new AuthConfig(
                false,
                Optional.empty(),
                List.of(
                        TokenEntry.of("one", "hf_one-0123456789", Grants.in("billing", Role.ADMIN)),
                        TokenEntry.of("none", "hf_none-0123456789", Grants.NONE)));
        try (TestServer server = new Setup().auth(auth).start()) {
            Client one = Client.of(server).as("hf_one-0123456789");
            assertThat(one.get("/v2/settings").json().get("detail").text())
                    .contains("does not have the role 'admin' in all namespaces");
            assertThat(one.get("/v2/server").status()).isEqualTo(200);
            assertThat(Client.of(server)
                            .as("hf_none-0123456789")
                            .get("/v2/server")
                            .status())
                    .isEqualTo(403);
            assertThat(server.get("/v2/settings").status()).isEqualTo(401);
        }
    }
}
