package dev.holdfast.cli.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.LocalServer;
import dev.holdfast.cli.Shell;
import dev.holdfast.cli.Shell.Result;
import dev.holdfast.cli.SmallApp;
import dev.holdfast.cli.text.ExitCodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
@DisplayName("holdfast guard")
final class GuardCommandTest {
    @TempDir
    private Path directory;

    /** On a store, what acts must be configured; a server has its own settings. */
    private List<String> session(Shell shell, Path apps) throws Exception {
        Path config = directory.resolve("recording.yaml");
        Files.writeString(config, "guard: {actuator: log}\n");
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
            List<String> all = new ArrayList<>(words);
            all.add("--config=" + config);
            Result result = shell.run(all.toArray(String[]::new));
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
            try (LocalServer server = LocalServer.start(home, "--guard.interval=1h")) {
                assertThat(session(new Shell(server.url()), apps)).isEqualTo(onStore);
            }
            String all = String.join("\n", onStore);
            assertThat(all)
                    .contains("guard apps -> 0\nNo app is registered")
                    .contains("2 apps registered")
                    .contains("guard check shop --explain -> 6")
                    .contains("skipped_shared_active", "app billing     UP (HTTP 200)", "app shop")
                    .contains("guard check nobody -> 1\nholdfast: No app 'nobody' is registered")
                    .contains("guard stop shop -> 0")
                    .contains(
                            "db1:5432 keeps running because billing needs it. The stop is stored: when billing no longer"
                                    + " needs it (holdfast guard stop billing), a server stops it by itself.\n")
                    .contains("guard start shop --dry-run -> 0")
                    .contains("guard status db9:1 -> 1")
                    .contains("guard check shop -> 0");
        }
    }

    @Test
    @DisplayName("what changes nothing makes no store file that is not there, and says so")
    void looksOnly() {
        Shell shell = Shell.on(directory);
        for (List<String> words : List.of(
                List.of("guard", "check", "shop"),
                List.of("guard", "stop", "shop", "--dry-run"),
                List.of("guard", "start", "shop", "--dry-run"))) {
            Result result = shell.run(words.toArray(String[]::new));
            assertThat(result.code()).as(result.toString()).isEqualTo(ExitCodes.FAILURE);
            assertThat(result.err()).contains("There is no file", "locks.db", "--store");
            assertThat(directory).isEmptyDirectory();
        }
    }

    @Test
    @DisplayName("a command on a store that has no actuator stores the stop, and records nothing as stopped")
    void withoutActuator() throws Exception {
        Shell shell = Shell.on(directory);
        Path apps = directory.resolve("apps.yaml");
        Files.writeString(
                apps, "apps:\n  shop: {url: 'http://127.0.0.1:9/', databases: [{type: postgres, host: db1}]}\n");
        shell.run("guard", "apps", "import", apps.toString());
        Result stop = shell.run("guard", "stop", "shop", "-o", "json");
        assertThat(stop.code()).isEqualTo(ExitCodes.OK);
        assertThat(stop.out()).contains("skipped_unknown", "no actuator for it is configured here");
        assertThat(shell.run("guard", "status").out()).doesNotContain("stopped");

        Path config = directory.resolve("recording.yaml");
        Files.writeString(config, "guard: {actuator: log}\n");
        Result recorded = shell.run("guard", "stop", "shop", "--config=" + config);
        assertThat(recorded.out()).contains("stopped (recorded only)");
        Result status = shell.run("guard", "status", "--config=" + config);
        assertThat(status.out()).contains("stopped (recorded only)");
        assertThat(status.err()).contains("Recorded only");
    }

    /** Imports an app with this entry on a store, with these settings of the guard. */
    private Result imported(String settings, String app) throws Exception {
        Path config = directory.resolve("settings.yaml");
        Files.writeString(config, settings);
        Path apps = directory.resolve("apps.yaml");
        Files.writeString(apps, "apps:\n  shop: " + app + "\n");
        return Shell.on(directory).run("guard", "apps", "import", apps.toString(), "--config=" + config);
    }

    @Test
    @DisplayName("on a store, the address of an app must be one that may be probed, as at a server")
    void forbiddenAddress() throws Exception {
        Result refused = imported(
                "guard: {probe: {private: false}}\n",
                "{url: 'http://10.0.0.7/', databases: [{type: postgres, host: db1}]}");
        assertThat(refused.code()).isNotZero();
        assertThat(refused.err()).contains("url of 'shop'");
    }

    @Test
    @DisplayName("on a store, a URL without a host is below the gateway, as at a server")
    void belowTheGateway() throws Exception {
        String app = "{url: '/shop', databases: [{type: postgres, host: db1}]}";
        assertThat(imported("guard: {actuator: log}\n", app).err()).contains("API_GATEWAY_URL");
        assertThat(imported("controller: {api-gateway-url: 'http://gateway.example'}\n", app)
                        .code())
                .isZero();
        assertThat(Shell.on(directory).run("guard", "apps", "-o", "json").out())
                .contains("http://gateway.example/shop");
    }

    @Test
    @DisplayName(
            "on a store, a stop is refused if the database names an actuator that is not configured, as at a server")
    void missingActuator() throws Exception {
        String app = "{url: 'http://127.0.0.1:9/', databases: [{type: postgres, host: db1, actuator: here}]}";
        assertThat(imported(
                                "guard: {actuators: {here: {type: command, stop: 'true', start: 'true', status: 'false'}}}\n",
                                app)
                        .code())
                .isZero();
        Result stop = Shell.on(directory).run("guard", "stop", "shop");
        assertThat(stop.code()).isEqualTo(ExitCodes.FAILURE);
        assertThat(stop.err()).contains("Nothing was done", "'here'", "guard.actuators");
        assertThat(Shell.on(directory).run("guard", "apps", "-o", "json").out()).contains("\"desired\":\"auto\"");
    }

    @Test
    @DisplayName("on a store, guard.probe.ca is read, as at a server")
    void certificates() throws Exception {
        Path file = Files.writeString(directory.resolve("ca.pem"), "no certificate");
        String app = "{url: 'http://127.0.0.1:9/', databases: [{type: postgres, host: db1}]}";
        Result refused = imported("guard: {probe: {ca: " + file + "}}\n", app);
        assertThat(refused.code()).isNotZero();
        assertThat(refused.err()).contains("guard.probe.ca cannot be used: not certificates in PEM form");

        Result wrong = imported("guard: {probe: {ca: " + directory.resolve("missing.pem") + "}}\n", app);
        assertThat(wrong.code()).isNotZero();
        assertThat(wrong.err())
                .contains("guard.probe.ca", "must name a PEM file")
                .doesNotContain("\tat ");
    }

    @Test
    @DisplayName(
            "a stop of an app that still runs says that the app is to be stopped; a status command is told its codes")
    void whatFollows() throws Exception {
        Shell shell = Shell.on(directory);
        try (SmallApp shop = SmallApp.up("shop")) {
            Path apps = directory.resolve("apps.yaml");
            Files.writeString(
                    apps, "apps:\n  shop: {url: '" + shop.url() + "', databases: [{type: postgres, host: db1}]}\n");
            Path config = directory.resolve("command.yaml");
            Files.writeString(
                    config,
                    "guard: {actuator: here, actuators: {here: {type: command, stop: 'true', start: 'true', status: 'false'}}}\n");
            shell.run("guard", "apps", "import", apps.toString(), "--config=" + config);

            assertThat(shell.run("guard", "stop", "shop", "--config=" + config).err())
                    .contains("db1:5432 keeps running until shop is down: 'guard stop' does not stop the app.");
            assertThat(shell.run("guard", "stop", "shop", "-o", "json", "--config=" + config)
                            .err())
                    .isEmpty();

            Result start = shell.run("guard", "start", "shop", "--config=" + config);
            assertThat(start.code()).isEqualTo(ExitCodes.CHECK_SAID_NO);
            assertThat(start.out())
                    .contains("the status command false ended with exit code 1", "0 means running, 3 stopped");
            assertThat(start.err())
                    .contains("db1:5432 does not run yet: wait before you start the app. The start is stored");
        }
    }

    @Test
    @DisplayName("import tells that two databases are at the same address")
    void sameAddress() throws Exception {
        Shell shell = Shell.on(directory);
        Path apps = directory.resolve("apps.yaml");
        Files.writeString(
                apps,
                "apps:\n  shop: {url: 'http://127.0.0.1:9/', databases: [{type: postgres, host: localhost, instance_id: i-1}]}\n"
                        + "  blog: {url: 'http://127.0.0.1:9/', databases: [{type: postgres, host: '::1', instance_id: i-2}],"
                        + " health: {path: /health, up: 200-299, down_after: 1m}}\n");
        Result imported = shell.run("guard", "apps", "import", apps.toString());
        assertThat(imported.code()).as(imported.err()).isEqualTo(ExitCodes.OK);
        assertThat(imported.err()).contains("Warning: i-1 is at the same address and port as i-2");
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
        assertThat(result.err()).contains("No Holdfast server answered", "http://127.0.0.1:9: connection refused");
    }

    // ---- what fails in the middle

    private static final String SHOP =
            "apps:\n  shop: {url: 'http://127.0.0.1:9/', databases: [{type: postgres, %s}]}\n";

    private interface Session {
        void in(Shell shell) throws Exception;
    }

    /** The same on a store, and through a server on one; each with its own files in this directory. */
    private void onStoreAndServer(Session session, Path locks, Path documents) throws Exception {
        Path config = directory.resolve("recording.yaml");
        Files.writeString(config, "guard: {actuator: log, interval: 1h, store: 'file:" + documents + "'}\n");
        session.in(new Shell("sqlite:" + locks));
        delete(documents);
        try (LocalServer server = LocalServer.start(
                Files.createDirectories(directory.resolve("server")),
                "--config=" + config,
                "--store=sqlite:" + locks)) {
            session.in(new Shell(server.url()));
        }
    }

    private static void delete(Path tree) throws IOException {
        try (Stream<Path> all = Files.walk(tree)) {
            for (Path one : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(one);
            }
        }
    }

    private Result guard(Shell shell, String... words) {
        List<String> all = new ArrayList<>(List.of("guard"));
        all.addAll(List.of(words));
        all.add("--config=" + directory.resolve("recording.yaml"));
        return shell.run(all.toArray(String[]::new));
    }

    private Path apps(String database) throws IOException {
        return Files.writeString(directory.resolve("apps.yaml"), SHOP.formatted(database));
    }

    @Test
    @DisplayName("a stop or start that is stored while the locks do not take writes says so, on a store as at a server")
    void locksAway() throws Exception {
        Path locks = directory.resolve("locks.db");
        onStoreAndServer(
                shell -> {
                    assertThat(guard(shell, "apps", "import", apps("host: db1").toString())
                                    .code())
                            .isZero();
                    try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + locks)) {
                        other.createStatement().execute("begin immediate");
                        Result stop = guard(shell, "stop", "shop");
                        assertThat(stop.code()).as(stop.err()).isEqualTo(ExitCodes.OK);
                        assertThat(stop.out())
                                .contains("pending", "the stop is stored and continues by itself", "has locked");
                        assertThat(stop.err())
                                .contains("db1:5432 is not stopped yet. The stop is stored, and a server tries again");
                        Result start = guard(shell, "start", "shop");
                        assertThat(start.code()).as(start.err()).isEqualTo(ExitCodes.CHECK_SAID_NO);
                        assertThat(start.out()).contains("pending", "the start is stored and continues by itself");
                        other.createStatement().execute("rollback");
                    }
                    assertThat(guard(shell, "stop", "shop").out()).contains("stopped (recorded only)");
                },
                locks,
                directory.resolve("documents"));
    }

    @Test
    @DisplayName(
            "a registration that finds its database being judged ends with the same code on a store and at a server")
    void busy() throws Exception {
        Path locks = directory.resolve("locks.db");
        onStoreAndServer(
                shell -> {
                    assertThat(guard(shell, "apps", "import", apps("host: db1").toString())
                                    .code())
                            .isZero();
                    String judged = "guard:LOCK#DB#db1:5432";
                    Result judging = shell.run("acquire", judged, "--lease", "5m", "-o", "name");
                    assertThat(judging.code()).as(judging.err()).isZero();
                    Result busy = guard(
                            shell,
                            "apps",
                            "import",
                            apps("host: db1, instance_id: i-1").toString());
                    shell.run("release", judged, "--lease-id", judging.out().strip());
                    assertThat(busy.code()).as(busy.err()).isEqualTo(ExitCodes.UNREACHABLE);
                    assertThat(busy.err()).contains("Resource 'db1:5432' is just being judged", "Try again");
                    assertThat(guard(shell, "status", "-o", "name").out()).contains("db1:5432");
                },
                locks,
                directory.resolve("documents"));
    }
}
