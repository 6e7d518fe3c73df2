package dev.holdfast.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.Main;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.server.auth.Grants;
import dev.holdfast.server.auth.TokenSecret;
import dev.holdfast.server.config.Settings;
import dev.holdfast.server.config.settings.AuthSettings;
import dev.holdfast.testkit.fuzz.OddUrl;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(List<String> args) {
        return run(args.toArray(String[]::new));
    }

    private int run(String... args) {
        return Main.commandLine(args)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(args);
    }

    @Test
    @DisplayName("config show prints every setting as serve would use it, with the flags of serve")
    void show() {
        assertThat(run(
                        "config",
                        "show",
                        "--port",
                        "9000",
                        "--locks.default-lease=10s",
                        "--store=postgresql://a:pw@db/x"))
                .isZero();
        assertThat(out.toString())
                .startsWith("KEY ")
                .containsPattern("(?m)^server\\.port +9000$")
                .containsPattern("(?m)^locks\\.default-lease +10s$")
                .contains("postgresql://a:***@db/x")
                .doesNotContain("pw@", "flag");
        assertThat(out.toString().lines()).hasSize(Settings.declared().size() + 1);
    }

    @Test
    @DisplayName("no password is shown, however badly it is written")
    void oddPasswords() {
        for (int i = 0; i < 300; i++) {
            forget();
            OddUrl odd = OddUrl.of(List.of("postgresql://", "mysql://", "s3://").get(i % 3), new Random(i));
            run("config", "show", "--store=" + odd.url(), "--state.store=" + odd.url());
            run("config", "show", "--origin", "-o", "yaml", "--store=" + odd.url());
            assertThat(odd.isShownIn(out + " " + err))
                    .as("%s: %s: %s %s", i, odd.url(), out, err)
                    .isFalse();
        }
        for (String odd : List.of("/", "@", "?", "%", ":", "#", "//", " ")) {
            for (String url : List.of(
                    "postgresql://app:QabcQ" + odd + "QabcQ@127.0.0.1:1/x?connect_wait=0s",
                    "mariadb://app:QabcQ" + odd + "QabcQ@127.0.0.1:1/x?connect_wait=0s",
                    "jdbc:postgresql://127.0.0.1:1/x?connect_wait=0s&user=app&password=QabcQ" + odd + "QabcQ",
                    "jdbc:mariadb://127.0.0.1:1/x?connect_wait=0s&user=app&password=QabcQ" + odd + "QabcQ",
                    "dynamodb://AKIA:QabcQ" + odd + "QabcQ@eu-central-1/locks?endpoint=http://127.0.0.1:1",
                    "http://x:QabcQ" + odd + "QabcQ@127.0.0.1:1")) {
                forget();
                run(url.startsWith("http") ? List.of("doctor", "--server", url) : List.of("doctor", "--store", url));
                assertThat(out + " " + err).as(url).doesNotContain("QabcQ");
            }
        }
    }

    private void forget() {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
    }

    @Test
    @DisplayName("--origin says where each value came from")
    void origin(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("my.yaml"), "locks:\n  retention: 1h\n");
        assertThat(run("config", "show", "--origin", "--config", file.toString(), "--port=9000"))
                .isZero();
        assertThat(out.toString())
                .containsPattern("(?m)^server\\.port +9000 +flag --port$")
                .containsPattern("(?m)^locks\\.retention +1h +" + file + ":2$")
                .containsPattern("(?m)^locks\\.max-lease +24h +default$");
    }

    @Test
    @DisplayName("what -o yaml prints is a configuration that means the same")
    void yaml(@TempDir Path directory) throws Exception {
        String[] flags = {
            "--port=9000", "--jwt.default-roles={\"*\": [admin]}", "--server.node=a \"b\" \\ c", "--host=::1"
        };
        assertThat(run("config", "show", "-o", "yaml", flags[0], flags[1], flags[2], flags[3]))
                .isZero();
        Files.writeString(directory.resolve("holdfast.yaml"), out.toString());
        Settings again = Settings.load(List.of(), Map.of(), directory);
        Settings first = Settings.load(List.of(flags), System.getenv(), directory);
        assertThat(again.lines().stream().map(Settings.Line::value))
                .containsExactlyElementsOf(
                        first.lines().stream().map(Settings.Line::value).toList());
    }

    @Test
    @DisplayName("-o json is an array of objects")
    void json() {
        assertThat(run("config", "show", "-o", "json", "--origin", "--server.node=a \"b\""))
                .isZero();
        assertThat(out.toString())
                .startsWith("[")
                .contains("{\"key\": \"server.port\", \"value\": \"8080\", \"origin\": \"default\"},")
                .contains("\"value\": \"a \\\"b\\\"\"")
                .endsWith("}\n]\n");
    }

    @Test
    @DisplayName(
            "a configuration the server would refuse ends with 2, all its problems on stderr and nothing on stdout")
    void problems() {
        assertThat(run("config", "show", "--port=99999", "--hist.enabled=true", "--host=0.0.0.0"))
                .isEqualTo(ExitCodes.USAGE);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString())
                .contains(
                        "3 problems",
                        "server.port (flag --port) must be between 0 and 65535, was '99999'",
                        "--hist.enabled")
                .contains("authentication.disabled=true");
        assertThat(run("config", "show", "-o", "xml")).isEqualTo(ExitCodes.USAGE);
    }

    @Test
    @DisplayName("config keys lists all settings with default and range")
    void keys() {
        assertThat(run("config", "keys")).isZero();
        assertThat(out.toString()).contains("server.port  (default 8080)", "Must be between 0 and 65535.");
    }

    @Test
    @DisplayName("token create prints the token alone on stdout and the entry, without it, on stderr")
    void token(@TempDir Path directory) throws Exception {
        assertThat(run(
                        "token",
                        "create",
                        "--id",
                        "ci",
                        "--role",
                        "deploy=read,lock",
                        "--role",
                        "*=read",
                        "--role",
                        "deploy=state"))
                .isZero();
        String token = out.toString().strip();
        assertThat(out.toString()).matches("hf_[A-Za-z0-9_-]{43}\n");
        assertThat(err.toString()).doesNotContain(token).contains("deploy: [read, lock, state]");

        assertThat(err.toString()).contains("\nauth:\n  tokens:\n    - id: ci\n", "holdfast state ls", "within 2 s");
        Files.writeString(directory.resolve("holdfast.yaml"), err.toString()); // as it is
        assertThat(Settings.load(List.of(), Map.of(), directory).get(AuthSettings.TOKENS))
                .singleElement()
                .satisfies(entry -> {
                    assertThat(entry.id()).isEqualTo("ci");
                    assertThat(entry.sha256()).isEqualTo(TokenSecret.sha256(token));
                    assertThat(entry.roles())
                            .isEqualTo(Grants.spelled(
                                    Map.of("deploy", Set.of("read", "lock", "state"), "*", Set.of("read"))));
                });
    }

    @Test
    @DisplayName("token create wants to be told the roles, and says how long the token lives")
    void roleAndLife(@TempDir Path directory) throws Exception {
        assertThat(run("token", "create", "ci")).isEqualTo(ExitCodes.USAGE);
        assertThat(err.toString()).contains("--role");
        assertThat(out.toString()).isEmpty();

        err.getBuffer().setLength(0);
        assertThat(run("token", "create", "ci", "--role", "n=read")).isZero();
        assertThat(err.toString()).contains("does not expire");

        err.getBuffer().setLength(0);
        assertThat(run("token", "create", "ci", "--role", "n=read", "--expires", "90d", "--group", "builds"))
                .isZero();
        assertThat(err.toString()).contains("# For holdfast.yaml; it expires at 2", "holdfast ls -N n");
        Files.writeString(directory.resolve("holdfast.yaml"), err.toString());
        assertThat(Settings.load(List.of(), Map.of(), directory).get(AuthSettings.TOKENS))
                .singleElement()
                .satisfies(entry -> {
                    assertThat(entry.group()).contains("builds");
                    assertThat(entry.expires().orElseThrow())
                            .isBetween(
                                    Instant.now().plus(Duration.ofDays(89)),
                                    Instant.now().plus(Duration.ofDays(91)));
                });
    }

    @Test
    @DisplayName("every token is another")
    void fresh() {
        run("token", "create", "--id", "a", "--role", "n=read");
        run("token", "create", "a", "--role", "n=read");
        assertThat(out.toString().lines().distinct()).hasSize(2);
    }

    @Test
    @DisplayName("token create refuses what the server would refuse, before it prints a token")
    void wrongToken() {
        assertThat(run("token", "create")).isEqualTo(ExitCodes.USAGE);
        assertThat(run("token", "create", "--id", "a b", "--role", "n=read")).isEqualTo(ExitCodes.USAGE);
        assertThat(run("token", "create", "--role", "n=read")).isEqualTo(ExitCodes.USAGE);
        assertThat(run("token", "create", "a", "--id", "b", "--role", "n=read")).isEqualTo(ExitCodes.USAGE);
        assertThat(run("token", "create", "a", "--role", "n=read", "--expires", "0s"))
                .isEqualTo(ExitCodes.USAGE);
        assertThat(run("token", "create", "--id", "a", "--role", "read")).isEqualTo(ExitCodes.USAGE);
        assertThat(run("token", "create", "--id", "a", "--role", "x=read], y: [admin"))
                .isEqualTo(ExitCodes.USAGE);
        assertThat(run("token", "create", "--id", "a", "--role", "x y=read")).isEqualTo(ExitCodes.USAGE);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString())
                .contains("was 'a b'", "NAMESPACE=ROLE", "one of read, state-read, lock, state, guard, admin");
    }
}
