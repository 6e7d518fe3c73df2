package dev.holdfast.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.LocalServer;
import dev.holdfast.cli.Main;
import dev.holdfast.cli.SharedPostgres;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.testkit.servers.MariadbServer;
import dev.holdfast.testkit.servers.PostgresServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is printed is run by the database's own program, as somebody else than the server. */
@DisplayName("the output of schema print")
@Timeout(180)
class PrintedSchemaTest {
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

    private String printed(String store) {
        assertThat(run("schema", "print", "--store", store)).isZero();
        return out.toString();
    }

    @Test
    @DisplayName("run with psql by another user is all that a server needs whose user may only read and write rows")
    void postgres() throws Exception {
        canRunServers();
        Path psql = program("psql");
        PostgresServer server = SharedPostgres.server();
        String database = server.freshDatabase();
        server.sql(
                database,
                "create role maker_" + database + " login",
                "create role app_" + database + " login",
                "revoke create on schema public from public",
                "grant create on schema public to maker_" + database);
        Path script = Files.writeString(directory.resolve("schema.sql"), printed("postgresql:"));
        tool(
                psql.toString(),
                "--no-psqlrc",
                "-v",
                "ON_ERROR_STOP=1",
                "-f",
                script.toString(),
                "postgresql://maker_" + database + "@127.0.0.1:" + server.port() + "/" + database);
        server.sql(database, "grant select, insert, update, delete on all tables in schema public to app_" + database);
        String app = server.url(database).replaceFirst("//[^@]*@", "//app_" + database + "@");
        serves(app);
        server.sql(database, "drop table holdfast_content, holdfast_document");
        saysWhatDoesNotWork(app);
    }

    @Test
    @DisplayName("run with mariadb by another user is all that a server needs whose user may only read and write rows")
    void mariadb() throws Exception {
        canRunServers();
        try (MariadbServer server = MariadbServer.quick()) {
            String database = server.freshDatabase();
            server.sql(
                    "mysql",
                    "create user maker@'127.0.0.1'",
                    "grant all on " + database + ".* to maker@'127.0.0.1'",
                    "create user app@'127.0.0.1'",
                    "grant select, insert, update, delete on " + database + ".* to app@'127.0.0.1'");
            toolWith(
                    printed("mariadb:"),
                    server.program("mariadb").toString(),
                    "--no-defaults",
                    "--host=127.0.0.1",
                    "--port=" + server.port(),
                    "--user=maker",
                    "--skip-ssl",
                    database);
            String app = server.url(database).replace("//root@", "//app@");
            serves(app);
        }
    }

    @Test
    @DisplayName("run with sqlite3 makes both files, and a server takes them")
    void sqlite() throws Exception {
        Path shell = program("sqlite3");
        Path data = Files.createDirectory(directory.resolve("holdfast-data"));
        String store = "sqlite:" + data.resolve("holdfast.db");
        toolWith(
                printed(store),
                shell.toString(),
                "-bail",
                data.resolve("holdfast.db").toString());
        assertThat(data.resolve("holdfast-documents.db")).exists();
        String tables = toolWith(
                ".tables",
                shell.toString(),
                data.resolve("holdfast-documents.db").toString());
        assertThat(tables).contains("holdfast_document", "holdfast_content");
        serves(store);
        assertThat(run("schema", "print", "--drop", "--store", store)).isZero();
        String down = out.toString();
        toolWith(down, shell.toString(), "-bail", data.resolve("holdfast.db").toString());
        for (String file : List.of("holdfast.db", "holdfast-documents.db")) {
            assertThat(toolWith(".tables", shell.toString(), data.resolve(file).toString())
                            .strip())
                    .isEmpty();
        }
    }

    @Test
    @DisplayName("and schema migrate makes the same, documents included; drop says that they go too")
    void migrate() throws Exception {
        String store = "sqlite:" + directory.resolve("locks.db");
        assertThat(run("schema", "migrate", "--store", store)).isZero();
        assertThat(out.toString()).contains("locks", "documents");
        assertThat(directory.resolve("locks-documents.db")).exists();
        assertThat(run("schema", "drop", "--store", store)).isEqualTo(ExitCodes.NOT_CONFIRMED);
        assertThat(err.toString()).contains("state of stacks", "guard", "holdfast backup");
    }

    /** State, guard and locks work, and doctor has nothing to say. */
    private void serves(String store) throws IOException {
        assertThat(run("doctor", "--store", store)).as(out.toString()).isZero();
        assertThat(out.toString()).contains("documents (state, guard, stored tokens)", "all well");
        Path home = Files.createTempDirectory(directory, "server");
        try (LocalServer server = LocalServer.start(home, "--store=" + store)) {
            assertThat(run("doctor", "--server", server.url()))
                    .as(out.toString())
                    .isZero();
            assertThat(out.toString()).contains("works: guard, history, state", "all well");
        }
    }

    /** Without the tables of documents: locks are served, and doctor names the parts that are not. */
    private void saysWhatDoesNotWork(String store) throws IOException {
        assertThat(run("doctor", "--store", store)).as(out.toString()).isZero();
        assertThat(out.toString()).contains("documents cannot be kept", "schema migrate", "with the warnings above");
        Path home = Files.createTempDirectory(directory, "server");
        try (LocalServer server = LocalServer.start(home, "--store=" + store)) {
            assertThat(run("doctor", "--server", server.url()))
                    .as(out.toString())
                    .isZero();
            assertThat(out.toString())
                    .contains("state does not work: ", "guard does not work: ", "works: history", "lacks a right");
        }
    }

    private static void canRunServers() {
        Assumptions.assumeTrue(
                System.getProperty("os.name").equals("Linux")
                        && System.getProperty("os.arch").equals("amd64"),
                "the servers of these tests are for Linux on amd64");
    }

    private static Path program(String name) {
        for (String place : System.getenv("PATH").split(":", -1)) {
            Path file = Path.of(place, name);
            if (Files.isExecutable(file)) {
                return file;
            }
        }
        return Assumptions.abort("there is no program '" + name + "' here");
    }

    private String tool(String... command) throws IOException, InterruptedException {
        return toolWith("", command);
    }

    private String toolWith(String input, String... command) throws IOException, InterruptedException {
        Path said = Files.createTempFile(directory, "said", ".txt");
        Path typed = Files.writeString(Files.createTempFile(directory, "typed", ".txt"), input);
        Process process = new ProcessBuilder(new ArrayList<>(List.of(command)))
                .redirectErrorStream(true)
                .redirectInput(typed.toFile())
                .redirectOutput(said.toFile())
                .start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(Files.readString(said)).isZero();
        return Files.readString(said);
    }
}
