package dev.holdfast.cli.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.cli.connect.Connection.Setting;
import dev.holdfast.cli.text.CommandException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("What a command connects with")
class ConnectionTest {
    @TempDir
    private Path directory;

    private Path file;

    @BeforeEach
    void contexts() throws IOException {
        file = directory.resolve("config.yaml");
        Files.writeString(file, """
                current-context: prod
                contexts:
                  prod:
                    server: https://prod
                    token-file: prod.token
                    ca-file: ~/ca.pem
                    namespace: team
                  local:
                    store: sqlite:local.db?mode=shared
                  other:
                    server: [https://a, https://b]
                  certified:
                    server: https://c
                    client-cert: c.pem
                    client-key: c.key
                """);
    }

    private Connection decide(Map<String, String> flags, Map<String, String> environment) {
        Map<String, String> all = new HashMap<>(environment);
        all.put("HOLDFAST_CONTEXT_FILE", file.toString());
        all.put("HOME", "/home/me");
        return Connection.of(flags, all);
    }

    private Optional<String> value(Map<String, String> flags, Map<String, String> environment, String key) {
        return decide(flags, environment).value(key);
    }

    @Test
    @DisplayName("is the context in use, with its files, and says the line of each setting")
    void context() {
        Connection found = decide(Map.of(), Map.of());
        assertThat(found.context()).contains(new Setting("prod", "current-context in " + file));
        assertThat(found.get("server")).contains(new Setting("https://prod", "context prod, " + file + ":4"));
        assertThat(found.value("token-file"))
                .contains(directory.resolve("prod.token").toString());
        assertThat(found.value("ca-file")).contains("/home/me/ca.pem");
        assertThat(found.get("namespace")).contains(new Setting("team", "context prod, " + file + ":7"));
    }

    @Test
    @DisplayName("is what a flag says, else the environment, else the context, setting by setting")
    void order() {
        Map<String, String> environment = Map.of("HOLDFAST_NAMESPACE", "env", "HOLDFAST_CA_FILE", "/env.pem");
        assertThat(value(Map.of("namespace", "flag"), environment, "namespace")).contains("flag");
        assertThat(value(Map.of(), environment, "namespace")).contains("env");
        assertThat(value(Map.of(), Map.of(), "namespace")).contains("team");
        assertThat(value(Map.of("ca-file", "/flag.pem"), environment, "ca-file"))
                .contains("/flag.pem");
        assertThat(decide(Map.of(), environment).get("ca-file")).contains(new Setting("/env.pem", "HOLDFAST_CA_FILE"));
        assertThat(value(Map.of("context", "other"), Map.of("HOLDFAST_CONTEXT", "local"), "server"))
                .contains("https://a,https://b");
        assertThat(value(Map.of(), Map.of("HOLDFAST_CONTEXT", "local"), "store"))
                .contains("sqlite:" + directory.resolve("local.db") + "?mode=shared");
    }

    @Test
    @DisplayName("never takes the token of a context to another server, whoever names that")
    void tokenOfAContext() {
        for (Connection found : new Connection[] {
            decide(Map.of("server", "https://else"), Map.of()),
            decide(Map.of("store", "memory:"), Map.of()),
            decide(Map.of(), Map.of("HOLDFAST_SERVER", "https://else")),
            decide(Map.of(), Map.of("HOLDFAST_STORE", "memory:", "HOLDFAST_CONTEXT", "prod")),
            decide(Map.of(), Map.of("HOLDFAST_CONTEXT", "other")),
        }) {
            assertThat(found.settings()).doesNotContainKeys("token-file", "ca-file", "namespace");
        }
    }

    @Test
    @DisplayName("never takes the token of the environment to a context, where the environment is about another place")
    void tokenOfTheEnvironment() {
        Map<String, String> environment =
                Map.of("HOLDFAST_SERVER", "https://env", "HOLDFAST_TOKEN", "secret", "HOLDFAST_NAMESPACE", "env");
        Connection found = decide(Map.of("context", "other"), environment);
        assertThat(found.value("server")).contains("https://a,https://b");
        assertThat(found.settings()).doesNotContainKeys("token", "namespace");
        assertThat(decide(Map.of(), environment).value("token")).contains("secret");
        assertThat(decide(Map.of(), environment).value("server")).contains("https://env");
        assertThat(found.leftOut()).containsExactly("HOLDFAST_TOKEN", "HOLDFAST_NAMESPACE");
        assertThat(decide(Map.of("context", "other"), Map.of("HOLDFAST_TOKEN", "mine"))
                        .value("token"))
                .as("the environment names no place")
                .contains("mine");
        assertThat(decide(Map.of("context", "other"), Map.of("HOLDFAST_CONTEXT", "local", "HOLDFAST_TOKEN", "s"))
                        .settings())
                .as("another context is another place")
                .doesNotContainKey("token");
        for (Map<String, String> same :
                List.of(Map.of("HOLDFAST_CONTEXT", "other"), Map.of("HOLDFAST_SERVER", "https://b,https://a"))) {
            Map<String, String> all = new HashMap<>(same);
            all.put("HOLDFAST_TOKEN", "mine");
            Connection there = decide(Map.of("context", "other"), all);
            assertThat(there.value("token")).as(same.toString()).contains("mine");
            assertThat(there.value("server")).contains("https://a,https://b");
        }
    }

    private static final Map<String, String> CREDENTIALS = Map.of(
            "HOLDFAST_TOKEN", "secret",
            "HOLDFAST_CA_FILE", "/ca.pem",
            "HOLDFAST_CLIENT_CERT", "/c.pem",
            "HOLDFAST_CLIENT_KEY", "/c.key",
            "HOLDFAST_NAMESPACE", "env");

    private static Map<String, String> credentialsAnd(String variable, String value) {
        Map<String, String> all = new HashMap<>(CREDENTIALS);
        all.put(variable, value);
        return all;
    }

    @ParameterizedTest(name = "{0}={1}, and --{2} {3}")
    @DisplayName("leaves the token and certificates of the environment out, where a flag names another place")
    @CsvSource({
        "HOLDFAST_SERVER, https://prod, server, http://127.0.0.1:18912",
        "HOLDFAST_SERVER, https://prod, server, https://prod:444",
        "HOLDFAST_SERVER, https://prod, server, 'https://prod,https://else'",
        "HOLDFAST_SERVER, https://prod, store, memory:",
        "HOLDFAST_STORE, sqlite:a.db, server, https://prod",
        "HOLDFAST_CONTEXT, prod, server, https://else",
        "HOLDFAST_SERVER, https://prod, context, other",
        "HOLDFAST_CONTEXT, prod, context, other",
    })
    void elsewhere(String variable, String place, String flag, String url) {
        Connection found = decide(Map.of(flag, url), credentialsAnd(variable, place));
        assertThat(found.settings()).doesNotContainKeys("token", "token-file", "ca-file", "client-cert", "client-key");
        assertThat(found.value("namespace")).isEqualTo(flag.equals("context") ? Optional.empty() : Optional.of("env"));
        assertThat(found.variables())
                .as("nor do commands that are started get them with the new place")
                .containsEntry("HOLDFAST_TOKEN", Optional.empty())
                .containsEntry("HOLDFAST_CA_FILE", Optional.empty())
                .containsEntry("HOLDFAST_CLIENT_CERT", Optional.empty())
                .containsEntry("HOLDFAST_CLIENT_KEY", Optional.empty())
                .doesNotContainKey("HOLDFAST_NAMESPACE");
        Connection file =
                decide(Map.of(flag, url), Map.of(variable, place, "HOLDFAST_TOKEN", "s", "HOLDFAST_TOKEN_FILE", "/t"));
        assertThat(file.settings()).doesNotContainKeys("token", "token-file");
        assertThat(decide(Map.of(flag, url, "token-file", "/flag"), credentialsAnd(variable, place))
                        .value("token-file"))
                .as("what a flag says counts")
                .contains("/flag");
    }

    @ParameterizedTest(name = "{0}={1}, and --server {2}")
    @DisplayName(
            "uses the token and certificates of the environment, where a flag names the same place, or it names none")
    @CsvSource({
        "HOLDFAST_SERVER, https://prod, https://prod",
        "HOLDFAST_SERVER, https://prod/, https://prod",
        "HOLDFAST_SERVER, 'https://prod, https://two', https://two",
        "HOLDFAST_TOKEN, secret, https://prod",
    })
    void samePlace(String variable, String place, String url) {
        Connection found = decide(Map.of("server", url), credentialsAnd(variable, place));
        assertThat(found.value("server")).contains(url);
        assertThat(found.value("token")).contains("secret");
        assertThat(found.value("ca-file")).contains("/ca.pem");
        assertThat(found.value("client-cert")).contains("/c.pem");
        assertThat(found.leftOut()).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @DisplayName(
            "does not give a context with a token or certificate of its own those of the environment, however it was chosen")
    @ValueSource(strings = {"flag", "variable", "current"})
    void ownCredentials(String chosen) throws IOException {
        for (String name : List.of("prod", "certified")) {
            Files.writeString(
                    file, Files.readString(file).replaceFirst("current-context: .*", "current-context: " + name));
            Map<String, String> environment =
                    chosen.equals("variable") ? credentialsAnd("HOLDFAST_CONTEXT", name) : CREDENTIALS;
            Connection found = decide(chosen.equals("flag") ? Map.of("context", name) : Map.of(), environment);
            assertThat(found.context().map(Setting::value)).contains(name);
            assertThat(found.settings())
                    .doesNotContainKey("token")
                    .doesNotContainValue(new Setting("/c.pem", "HOLDFAST_CLIENT_CERT"));
            assertThat(found.settings()).containsKey(name.equals("prod") ? "token-file" : "client-cert");
            assertThat(found.value("namespace")).as("no secret").contains("env");
            assertThat(found.leftOut())
                    .containsExactly("HOLDFAST_TOKEN", "HOLDFAST_CLIENT_CERT", "HOLDFAST_CLIENT_KEY");
        }
        assertThat(decide(Map.of("context", "prod"), Map.of("HOLDFAST_SERVER", "https://prod", "HOLDFAST_TOKEN", "s"))
                        .settings())
                .as("not even where the environment names the same place")
                .doesNotContainKey("token")
                .containsKey("token-file");
    }

    /** What a command decides that was started from another, which had these flags and variables. */
    private Connection child(
            Map<String, String> flags, Map<String, String> environment, Map<String, String> childFlags) {
        Map<String, String> inherited = new HashMap<>(environment);
        decide(flags, environment).variables().forEach((name, value) -> {
            inherited.remove(name);
            value.ifPresent(it -> inherited.put(name, it));
        });
        return decide(childFlags, inherited);
    }

    @Test
    @DisplayName("goes to commands that are started from it, and what is shown to one place not to another they name")
    void children() {
        Map<String, String> file = Map.of("server", "https://a", "token-file", "/t");
        assertThat(child(file, Map.of(), Map.of()).value("token-file")).contains("/t");
        assertThat(child(file, Map.of(), Map.of("server", "https://b")).settings())
                .doesNotContainKeys("token-file", "token");
        Map<String, String> withContext = Map.of("context", "prod", "token-file", "/t", "ca-file", "/ca");
        Connection same = child(withContext, Map.of(), Map.of());
        assertThat(same.value("server")).contains("https://prod");
        assertThat(same.value("token-file"))
                .as("as the command that started it")
                .contains("/t");
        assertThat(child(withContext, Map.of(), Map.of("server", "https://b")).settings())
                .doesNotContainKeys("token-file", "ca-file");
        Map<String, String> token = Map.of("HOLDFAST_TOKEN", "s");
        assertThat(child(Map.of("server", "https://a"), token, Map.of()).value("token"))
                .contains("s");
        assertThat(child(Map.of("server", "https://a"), token, Map.of("server", "https://b"))
                        .settings())
                .doesNotContainKey("token");
        assertThat(child(Map.of("context", "certified", "ca-file", "/x"), token, Map.of())
                        .settings())
                .as("a token that was not shown is not shown later")
                .doesNotContainKey("token")
                .containsKey("client-cert");
    }

    @Test
    @DisplayName("tells commands that are started from it the whole path of a file with contexts")
    void contextFile() {
        String relative = Path.of("").toAbsolutePath().relativize(file).toString();
        assertThat(Path.of(relative)).isRelative();
        Connection found = Connection.of(Map.of(), Map.of("HOLDFAST_CONTEXT_FILE", relative));
        Optional<String> told = found.variables().getOrDefault("HOLDFAST_CONTEXT_FILE", Optional.empty());
        assertThat(told.map(Path::of)).hasValueSatisfying(it -> assertThat(it).isAbsolute());
        assertThat(told.map(Path::of))
                .hasValueSatisfying(it -> assertThat(it.normalize()).isEqualTo(file));
        assertThat(Connection.of(Map.of("store", "memory:"), Map.of()).variables())
                .doesNotContainKey("HOLDFAST_CONTEXT_FILE");
    }

    @Test
    @DisplayName("is not two places at once")
    void twoPlaces() {
        assertThatThrownBy(() -> decide(Map.of("context", "prod", "server", "https://x"), Map.of()))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("--context prod is a place, and --server names another");
    }

    @Test
    @DisplayName("is not looked for in a file, where a flag or the environment names the place")
    void unread() throws IOException {
        Files.writeString(file, "][");
        assertThat(value(Map.of("store", "memory:"), Map.of(), "store")).contains("memory:");
        assertThat(value(Map.of(), Map.of("HOLDFAST_SERVER", "http://x"), "server"))
                .contains("http://x");
        assertThatThrownBy(() -> decide(Map.of(), Map.of())).hasMessageContaining(file + ":1: this is not YAML");
    }

    @Test
    @DisplayName("is found again by commands that are started from it, and no token goes astray")
    void variables() {
        assertThat(decide(Map.of(), Map.of()).variables())
                .containsEntry("HOLDFAST_CONTEXT", Optional.of("prod"))
                .containsEntry("HOLDFAST_SERVER", Optional.empty())
                .containsEntry("HOLDFAST_STORE", Optional.empty());
        assertThat(decide(Map.of("server", "http://x", "token-file", "/t"), Map.of())
                        .variables())
                .containsEntry("HOLDFAST_CONTEXT", Optional.empty())
                .containsEntry("HOLDFAST_SERVER", Optional.of("http://x"))
                .containsEntry("HOLDFAST_TOKEN_FILE", Optional.of("/t"));
        assertThat(decide(Map.of("context", "other"), Map.of("HOLDFAST_SERVER", "http://e", "HOLDFAST_TOKEN", "s"))
                        .variables())
                .containsEntry("HOLDFAST_CONTEXT", Optional.of("other"))
                .containsEntry("HOLDFAST_SERVER", Optional.empty())
                .containsEntry("HOLDFAST_TOKEN", Optional.empty());
    }
}
