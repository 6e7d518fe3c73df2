package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.Shell.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("holdfast guard")
final class GuardCommandTest {
    @TempDir
    private Path directory;

    private List<String> session(Shell shell, Path apps) {
        List<String> said = new ArrayList<>();
        for (List<String> words : List.of(
                List.of("guard", "apps"),
                List.of("guard", "apps", "import", apps.toString()),
                List.of("guard", "apps"),
                List.of("guard", "apps", "-o", "name"),
                List.of("guard", "check", "shop", "--explain"),
                List.of("guard", "check", "shop", "-o", "yaml"),
                List.of("guard", "check", "nobody"),
                List.of("guard", "stop", "shop"),
                List.of("guard", "status"),
                List.of("guard", "status", "db1:5432"),
                List.of("guard", "status", "db9:1"),
                List.of("guard", "start", "shop", "--dry-run"),
                List.of("guard", "apps", "rm", "billing"),
                List.of("guard", "apps", "rm", "billing"),
                List.of("guard", "check", "shop"),
                List.of("guard", "status", "--app", "billing"))) {
            Result result = shell.run(words.toArray(String[]::new));
            said.add(String.join(" ", words) + " -> " + result.code() + "\n" + plain(result.out() + result.err()));
        }
        return said;
    }

    /** Without what differs each time. */
    private static String plain(String text) {
        return text.replaceAll("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z", "TIME")
                .replaceAll("(fencing[_ ]token\"?:?\\s+)\\d+", "$1TOKEN")
                .replaceAll("GET /api/guard/resources|holdfast guard status", "LOOK");
    }

    @Test
    @DisplayName("says the same on a store and on a server, with the exit codes of scripts")
    void session() throws Exception {
        try (SmallApp billing = SmallApp.up("billing")) {
            Path apps = directory.resolve("apps.yaml");
            Files.writeString(
                    apps,
                    "apps:\n  shop: {url: 'http://127.0.0.1:9/', databases: [{type: postgres, host: DB1}]}\n  billing: {url: '"
                            + billing.url() + "', databases: [{type: postgres, host: 'db1:5432'}]}\n");
            List<String> onStore = session(new Shell("sqlite:" + directory.resolve("locks.db")), apps);
            Path home = Files.createDirectories(directory.resolve("server"));
            try (ServerProcess server =
                    ServerProcess.start(home, Map.of(), "--guard.interval=1h").ready()) {
                assertThat(session(new Shell("http://127.0.0.1:" + server.port()), apps))
                        .isEqualTo(onStore);
            }
            String all = String.join("\n", onStore);
            assertThat(all)
                    .contains("guard apps -> 0\nNo app is registered")
                    .contains("2 apps registered")
                    .contains("guard check shop --explain -> 6")
                    .contains("skipped_shared_active", "app billing     UP (HTTP 200)", "app shop")
                    .contains("guard check nobody -> 1\nholdfast: No app 'nobody' is registered")
                    .contains("guard stop shop -> 0")
                    .contains("guard start shop --dry-run -> 0")
                    .contains("guard status db9:1 -> 1")
                    .contains("guard check shop -> 0");
        }
    }

    @Test
    @DisplayName("import tells everything that is wrong with a file, and registers nothing")
    void badFile() throws Exception {
        Shell shell = Shell.on(directory);
        Path apps = directory.resolve("apps.yaml");
        Files.writeString(apps, "apps:\n  shop: {url: x, databases: [{type: postgres}], more: 1}\n");
        Result form = shell.run("guard", "apps", "import", apps.toString());
        assertThat(form.code()).isEqualTo(ExitCodes.FAILURE);
        assertThat(form.err()).contains("unknown field 'more'");
        Files.writeString(apps, "apps:\n  shop: {url: x, databases: [{type: postgres, host: h, actuator: none}]}\n");
        Result content = shell.run("guard", "apps", "import", apps.toString());
        assertThat(content.code()).isEqualTo(ExitCodes.FAILURE);
        assertThat(content.err()).contains("url 'x'", "actuator 'none' is not configured");
        assertThat(shell.run("guard", "apps", "import", "missing.yaml").code()).isEqualTo(ExitCodes.USAGE);
        assertThat(shell.run("guard", "apps", "-o", "name").out()).isEmpty();
    }

    @Test
    @DisplayName("a server that is not there is told as such")
    void unreachable() {
        Result result = new Shell("http://127.0.0.1:9").run("guard", "status");
        assertThat(result.code()).isEqualTo(ExitCodes.UNREACHABLE);
        assertThat(result.err()).contains("No Holdfast server answers at http://127.0.0.1:9");
    }
}
