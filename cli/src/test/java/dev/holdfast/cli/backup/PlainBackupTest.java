package dev.holdfast.cli.backup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.LocalServer;
import dev.holdfast.cli.Main;
import dev.holdfast.cli.SharedPostgres;
import dev.holdfast.cli.Tfstate;
import dev.holdfast.testkit.servers.PostgresServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The ways of docs/OPERATIONS.md that need no command of ours, as they are written there. */
@DisplayName("a backup with the database's own tools")
@Timeout(120)
class PlainBackupTest {
    @TempDir
    private Path directory;

    private StringWriter out = new StringWriter();
    private StringWriter err = new StringWriter();

    private int run(String... args) {
        out = new StringWriter();
        err = new StringWriter();
        return Main.commandLine(args)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(args);
    }

    /** Locks, state and an app, through a server. */
    private void fill(String server) throws IOException {
        Path state = Files.writeString(directory.resolve("state.json"), Tfstate.of(1, "value", "s3cret"));
        Path apps = Files.writeString(
                directory.resolve("apps.yaml"),
                "apps:\n  shop: {url: 'http://127.0.0.1:9/', databases: [{type: postgres, host: DB1}]}\n");
        assertThat(run("acquire", "--server", server, "nightly", "--lease", "1h"))
                .isZero();
        assertThat(run("state", "push", "--server", server, "shop", "production", state.toString()))
                .as(err.toString())
                .isZero();
        assertThat(run("guard", "apps", "import", "--server", server, apps.toString()))
                .as(err.toString())
                .isZero();
    }

    /** All of it is there, and tokens grow on. */
    private void has(String server, long before) {
        assertThat(run("get", "--server", server, "nightly", "-o", "json")).isZero();
        assertThat(out.toString()).contains("\"holders\":[{").contains(Long.toString(before));
        assertThat(run("state", "verify", "--server", server, "shop", "production"))
                .as(err.toString())
                .isZero();
        assertThat(run("guard", "apps", "--server", server)).isZero();
        assertThat(out.toString()).contains("shop");
        assertThat(token(server, "other")).isGreaterThan(before);
    }

    private long token(String server, String lock) {
        assertThat(run("acquire", "--server", server, lock, "--lease", "1h", "-o", "json"))
                .isZero();
        String json = out.toString();
        return Long.parseLong(json.replaceAll("(?s).*\"fencing_token\":\\s*(\\d+).*", "$1"));
    }

    @Test
    @DisplayName("sqlite3 .backup of both files of a server that runs, put into another directory")
    void sqlite() throws Exception {
        String shell = program("sqlite3");
        Path copies = Files.createDirectories(directory.resolve("copy/holdfast-data"));
        long before;
        try (LocalServer server = LocalServer.start(directory)) {
            fill(server.url());
            for (String file : List.of("holdfast.db", "holdfast-documents.db")) {
                tool(List.of(
                        shell,
                        directory.resolve("holdfast-data").resolve(file).toString(),
                        ".backup " + copies.resolve(file)));
            }
            assertThat(run("get", "--server", server.url(), "nightly", "-o", "json"))
                    .isZero();
            before = Long.parseLong(out.toString().replaceAll("(?s).*\"fencing_token\":\\s*(\\d+).*", "$1"));
        }
        try (LocalServer server = LocalServer.start(directory.resolve("copy"))) {
            has(server.url(), before);
        }
    }

    @Test
    @DisplayName("pg_dump of a database in use, restored with psql into a new one")
    void postgres() throws Exception {
        Assumptions.assumeTrue(
                System.getProperty("os.name").equals("Linux")
                        && System.getProperty("os.arch").equals("amd64"),
                "the server of these tests is for Linux on amd64");
        String dump = program("pg_dump");
        String psql = program("psql");
        PostgresServer database = SharedPostgres.server();
        String from = database.freshDatabase();
        String to = database.freshDatabase();
        Path file = directory.resolve("holdfast.sql");
        long before;
        try (LocalServer server = LocalServer.start(directory, "--store=" + database.url(from))) {
            fill(server.url());
            String said = tool(List.of(
                    dump,
                    "--no-owner",
                    "--table=holdfast_*",
                    "--table=database_lock",
                    "--table=distributed_locks",
                    "--file=" + file,
                    database.url(from)));
            Assumptions.assumeFalse(said.contains("server version mismatch"), "pg_dump here is older than the server");
            assertThat(run("get", "--server", server.url(), "nightly", "-o", "json"))
                    .isZero();
            before = Long.parseLong(out.toString().replaceAll("(?s).*\"fencing_token\":\\s*(\\d+).*", "$1"));
        }
        tool(List.of(psql, "--no-psqlrc", "-v", "ON_ERROR_STOP=1", "-f", file.toString(), database.url(to)));
        try (LocalServer server = LocalServer.start(directory, "--store=" + database.url(to))) {
            has(server.url(), before);
        }
    }

    private static String program(String name) {
        for (String place : System.getenv("PATH").split(":", -1)) {
            Path file = Path.of(place, name);
            if (Files.isExecutable(file)) {
                return file.toString();
            }
        }
        return Assumptions.abort("there is no program '" + name + "' here");
    }

    private String tool(List<String> command) throws IOException, InterruptedException {
        Path said = Files.createTempFile(directory, "said", ".txt");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        String text = Files.readString(said);
        assertThat(process.exitValue() == 0 || text.contains("server version mismatch"))
                .as(text)
                .isTrue();
        return text;
    }
}
