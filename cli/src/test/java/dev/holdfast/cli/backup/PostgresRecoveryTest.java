package dev.holdfast.cli.backup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.LocalServer;
import dev.holdfast.cli.SharedPostgres;
import dev.holdfast.testkit.Await;
import dev.holdfast.testkit.servers.PostgresServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** PostgreSQL brought back to a moment, as docs/OPERATIONS.md says: a base backup, archived WAL, and what is to be done then. */
@DisplayName("PostgreSQL recovered to a moment")
@Timeout(240)
class PostgresRecoveryTest extends PlainBackup {
    private static final String DATABASE = "postgres";

    /** Makes the base backup. */
    private interface Base {
        void of(PostgresServer server, Path data, Path copy) throws Exception;
    }

    @Test
    @DisplayName("from pg_basebackup, to a time")
    void tool() throws Exception {
        canRunServers();
        String tool = program("pg_basebackup");
        int version = version(tool);
        recover(
                version,
                (server, data, copy) -> tool(List.of(
                        tool,
                        "--pgdata=" + copy,
                        "--checkpoint=fast",
                        "--wal-method=none",
                        "--dbname=" + server.url(DATABASE))),
                "recovery_target_time",
                "select clock_timestamp()");
    }

    @Test
    @DisplayName("from a copy of its files between pg_backup_start and pg_backup_stop, to a place in the WAL")
    void copy() throws Exception {
        canRunServers();
        recover(
                Integer.MAX_VALUE,
                PostgresRecoveryTest::copy,
                "recovery_target_lsn",
                "select pg_current_wal_insert_lsn()");
    }

    private void recover(int version, Base base, String target, String now) throws Exception {
        Path data = directory.resolve("data");
        Path copy = directory.resolve("copy");
        Path archive = Files.createDirectory(directory.resolve("archive"));
        long granted;
        long forgotten;
        long last;
        String moment;
        try (PostgresServer first = SharedPostgres.anotherForTool(version)
                .in(data)
                .durable()
                .with("archive_mode", "on")
                .start()) {
            first.sql(
                    DATABASE,
                    "alter system set archive_command = 'test ! -f " + archive + "/%f && cp %p " + archive + "/%f'",
                    "select pg_reload_conf()");
            try (LocalServer server = LocalServer.start(directory, "--store=" + first.url(DATABASE))) {
                fill(server.url());
                base.of(first, data, copy);
                acquire(server.url(), "in-the-archive");
                granted = held(server.url(), "nightly");
                moment = one(first, now);
                done("unlock", "--server", server.url(), "nightly", "--force", "--reason", "after the moment");
                acquire(server.url(), "nightly");
                save(server.url(), 2);
                forgotten = acquire(server.url(), "forgotten");
                last = Long.parseLong(one(first, "select max(number) from holdfast_event"));
            }
            archived(first);
        } // fenced off: nobody uses it any more
        aim(
                copy,
                "restore_command = 'cp " + archive + "/%f %p'",
                target + " = '" + moment + "'",
                "recovery_target_action = promote");
        try (PostgresServer second =
                SharedPostgres.anotherForTool(version).in(copy).durable().start()) {
            Await.until(
                    "it is recovered",
                    () -> one(second, "select pg_is_in_recovery()").equals("f"));
            String store = second.url(DATABASE);
            assertThat(done("doctor", "--store", store)).contains("all well");
            second.sql(
                    DATABASE,
                    "select setval(pg_get_serial_sequence('holdfast_event', 'number'), max(number) + 1000000)"
                            + " from holdfast_event");
            try (LocalServer server = LocalServer.start(directory, "--store=" + store)) {
                goesOn(server.url(), granted, forgotten);
            }
            assertThat(Long.parseLong(one(second, "select max(number) from holdfast_event")))
                    .isGreaterThan(last + 900_000);
        }
    }

    /** As it was at the moment; and whatever is granted from now on has a token above all of before, also of what is forgotten. */
    private void goesOn(String server, long granted, long forgotten) throws IOException {
        has(server, granted);
        assertThat(done("get", "--server", server, "nightly", "-o", "json")).doesNotContain("restored_from_backup");
        held(server, "in-the-archive");
        assertThat(done("state", "history", "--server", server, "shop", "production", "-o", "json"))
                .contains("\"serial\":1")
                .doesNotContain("\"serial\":2");
        assertThat(acquire(server, "forgotten")).isGreaterThan(forgotten);
        done("unlock", "--server", server, "nightly", "--force", "--reason", "its run is over");
        assertThat(acquire(server, "nightly")).isGreaterThan(forgotten);
        save(server, 2);
    }

    /** Without a tool: what lies in pg_wal while it is copied comes from the archive. */
    private static void copy(PostgresServer server, Path data, Path copy) throws SQLException, IOException {
        try (Connection connection = server.connect(DATABASE);
                Statement statement = connection.createStatement()) {
            statement.execute("select pg_backup_start('holdfast', true)");
            try (Stream<Path> files = Files.walk(data)) {
                for (Path file : files.toList()) {
                    copy(data, file, copy);
                }
            }
            try (ResultSet stop = statement.executeQuery("select labelfile from pg_backup_stop()")) {
                assertThat(stop.next()).isTrue();
                Files.writeString(copy.resolve("backup_label"), stop.getString(1));
            }
        }
    }

    private static void copy(Path data, Path file, Path copy) throws IOException {
        Path inside = data.relativize(file);
        Path to = copy.resolve(inside.toString());
        if (Files.isDirectory(file)) {
            Files.createDirectories(
                    to, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } else if (!inside.startsWith("pg_wal") && !inside.toString().startsWith("postmaster.")) {
            Files.copy(file, to);
        }
    }

    /** Everything that was written until now is in the archive. */
    private static void archived(PostgresServer server) {
        String segment = one(server, "select pg_walfile_name(pg_switch_wal())");
        Await.until(
                "the last segment is archived",
                () -> one(server, "select coalesce(last_archived_wal, '') from pg_stat_archiver")
                                .compareTo(segment)
                        >= 0);
    }

    /** Says to where it is recovered, and from what. */
    private static void aim(Path data, String... lines) {
        try {
            Files.createFile(data.resolve("recovery.signal"));
            Files.write(data.resolve("postgresql.auto.conf"), List.of(lines), StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String one(PostgresServer server, String query) {
        try (Connection connection = server.connect(DATABASE);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            assertThat(rows.next()).isTrue();
            return String.valueOf(rows.getString(1));
        } catch (SQLException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }
}
