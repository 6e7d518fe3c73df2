package dev.holdfast.cli.backup;

import dev.holdfast.cli.LocalServer;
import dev.holdfast.cli.SharedPostgres;
import dev.holdfast.testkit.servers.MariadbServer;
import dev.holdfast.testkit.servers.PostgresServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The ways of docs/OPERATIONS.md that need no command of ours, as they are written there. */
@DisplayName("a backup with the database's own tools")
@Timeout(180)
class PlainBackupTest extends PlainBackup {
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
            before = held(server.url(), "nightly");
        }
        try (LocalServer server = LocalServer.start(directory.resolve("copy"))) {
            has(server.url(), before);
        }
    }

    @Test
    @DisplayName("pg_dump of a database in use, restored with psql into a new one")
    void postgres() throws Exception {
        canRunServers();
        String dump = program("pg_dump");
        String psql = program("psql");
        PostgresServer database = SharedPostgres.forTool(version(dump));
        String from = database.freshDatabase();
        String to = database.freshDatabase();
        Path file = directory.resolve("holdfast.sql");
        long before;
        try (LocalServer server = LocalServer.start(directory, "--store=" + database.url(from))) {
            fill(server.url());
            tool(List.of(
                    dump,
                    "--no-owner",
                    "--table=holdfast_*",
                    "--table=database_lock",
                    "--table=distributed_locks",
                    "--file=" + file,
                    database.url(from)));
            before = held(server.url(), "nightly");
        }
        tool(List.of(psql, "--no-psqlrc", "-v", "ON_ERROR_STOP=1", "-f", file.toString(), database.url(to)));
        try (LocalServer server = LocalServer.start(directory, "--store=" + database.url(to))) {
            has(server.url(), before);
        }
    }

    @Test
    @DisplayName("mariadb-dump of a database in use, loaded with mariadb into a new one")
    void mariadb() throws Exception {
        canRunServers();
        try (MariadbServer database = MariadbServer.quick()) {
            String from = database.freshDatabase();
            String to = database.freshDatabase();
            Path file = directory.resolve("holdfast.sql");
            long before;
            try (LocalServer server = LocalServer.start(directory, "--store=" + database.url(from))) {
                fill(server.url());
                tool(mariadb(database, "mariadb-dump", "--single-transaction", "--result-file=" + file, from));
                before = held(server.url(), "nightly");
            }
            tool(mariadb(database, "mariadb", "--execute=source " + file, to));
            try (LocalServer server = LocalServer.start(directory, "--store=" + database.url(to))) {
                has(server.url(), before);
            }
        }
    }

    /** A tool that comes with the server. */
    private static List<String> mariadb(MariadbServer server, String tool, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                server.program(tool).toString(),
                "--no-defaults",
                "--host=127.0.0.1",
                "--port=" + server.port(),
                "--user=root",
                "--skip-ssl"));
        command.addAll(List.of(arguments));
        return command;
    }
}
