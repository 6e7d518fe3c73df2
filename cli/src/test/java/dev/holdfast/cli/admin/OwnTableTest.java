package dev.holdfast.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ClientConfig;
import dev.holdfast.Holder;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.cli.Main;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.model.LockKey;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A database whose application had a table of locks before it had Holdfast, or lost one of Holdfast's. */
class OwnTableTest {
    @TempDir
    private Path directory;

    private StringWriter out = new StringWriter();
    private StringWriter err = new StringWriter();
    private String store = "";

    @BeforeEach
    void name() {
        store = "sqlite:" + directory.resolve("app.db");
    }

    private int run(String... args) {
        out = new StringWriter();
        err = new StringWriter();
        return Main.commandLine(args)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(args);
    }

    private void sql(String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:" + store);
                Statement statement = connection.createStatement()) {
            for (String one : statements) {
                statement.execute(one);
            }
        }
    }

    private void ownTable() throws SQLException {
        sql(
                "create table database_lock (id integer primary key, lock_name text unique, process_id text, acquired_at text,"
                        + " expires_at text)",
                "insert into database_lock values (1, 'nightly', '4711_web', datetime('now'), datetime('now', '+10 minutes')),"
                        + " (2, 'over', '4712_web', datetime('now', '-1 hour'), datetime('now', '-10 minutes'))");
    }

    @Test
    @DisplayName("doctor warns of an own table that hides a view")
    void doctor() throws SQLException {
        ownTable();
        assertThat(run("doctor", "--store", store)).isZero();
        assertThat(out.toString()).contains("warn", "'database_lock'", "--from-table");
    }

    @Test
    @DisplayName("what is still held in an own table is adopted until its end; a second time changes nothing")
    void adopted() throws Exception {
        ownTable();
        assertThat(run("migrate", "--from-table", store, "--to", store, "--dry-run"))
                .isZero();
        assertThat(out.toString()).contains("would adopt 'nightly' of '4711_web'", "nothing was written");
        assertThat(run("migrate", "--from-table", store + "#database_lock", "--to", store))
                .isZero();
        assertThat(out.toString()).contains("1 held", "adopted 'nightly' of '4711_web'", "Stop the programs");
        try (LockClient locks = LockClient.connect(store)) {
            List<Holder> holders =
                    locks.inspect().get(LockKey.of("default", "nightly")).holders();
            assertThat(holders).singleElement().satisfies(holder -> {
                assertThat(holder.owner()).isEqualTo("4711_web");
                assertThat(holder.metadata()).containsEntry("adopted_from", "database_lock");
                assertThat(Duration.between(
                                holder.grantedAt(), holder.expiresAt().orElseThrow()))
                        .isBetween(Duration.ofMinutes(9), Duration.ofMinutes(10));
            });
            assertThat(locks.inspect().get(LockKey.of("default", "over")).holders())
                    .isEmpty();
        }
        assertThat(run("migrate", "--from-table", store, "--to", store)).isZero();
        assertThat(out.toString()).contains("was adopted before");
    }

    @Test
    @DisplayName("a dry run makes no file, and nothing is adopted into what ends with the command or is a server")
    void onlyIntoWhatStays() throws Exception {
        ownTable();
        String fresh = "sqlite:" + directory.resolve("new.db");
        assertThat(run("migrate", "--from-table", store, "--to", fresh, "--dry-run"))
                .isZero();
        assertThat(out.toString()).contains("would adopt 'nightly' of '4711_web'", "nothing was written");
        assertThat(err.toString()).contains("does not exist yet");
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files.map(it -> it.getFileName().toString())).noneMatch(name -> name.startsWith("new"));
        }
        assertThat(run("migrate", "--from-table", store, "--to", "memory:")).isEqualTo(ExitCodes.USAGE);
        assertThat(err.toString())
                .contains("memory: is empty and ends with this command. Name a store that stays, such as");
        assertThat(run("migrate", "--from-table", store, "--to", "http://127.0.0.1:8080"))
                .isEqualTo(ExitCodes.USAGE);
        assertThat(err.toString()).contains("is a server");
        assertThat(run("migrate", "--from-table", store, "--to", fresh)).isZero();
        assertThat(run("explain", "--store", fresh, "nightly")).isZero();
        assertThat(out.toString()).contains("4711_web");
    }

    @Test
    @DisplayName("a lock that is held here too stands against all of it")
    void heldHere() throws Exception {
        ownTable();
        try (LockClient locks = LockClient.connect(store);
                Lease lease = locks.acquire("nightly")) {
            assertThat(lease.isValid()).isTrue();
            assertThat(run("migrate", "--from-table", store, "--to", store)).isEqualTo(ExitCodes.CHECK_SAID_NO);
            assertThat(err.toString()).contains("'nightly'", ClientConfig.DEFAULT.owner(), "nothing was written");
        }
    }

    @Test
    @DisplayName("Holdfast's own view, a table without the columns, and a name that is none are refused")
    void refused() throws Exception {
        assertThat(run("schema", "migrate", "--store", store)).isZero();
        assertThat(run("migrate", "--from-table", store, "--to", store)).isNotZero();
        assertThat(err.toString()).contains("no table of locks of its own");
        sql("create table mine (x integer)");
        assertThat(run("migrate", "--from-table", store + "#mine", "--to", store))
                .isNotZero();
        assertThat(err.toString()).contains("lock_name, expires_at");
        assertThat(run("migrate", "--from-table", store + "#x y", "--to", store))
                .isEqualTo(ExitCodes.USAGE);
        assertThat(run("migrate", "--to", store)).isEqualTo(ExitCodes.USAGE);
    }

    @Test
    @DisplayName("a lost table: migrate and doctor say the way out, --repair makes it anew and tells what was lost")
    void repair() throws Exception {
        assertThat(run("schema", "migrate", "--store", store)).isZero();
        sql("drop table holdfast_lock");
        assertThat(run("schema", "migrate", "--store", store)).isEqualTo(ExitCodes.UNREACHABLE);
        assertThat(err.toString()).contains("schema migrate --repair", "schema drop --yes");
        assertThat(run("schema", "migrate", "--repair", "--store", store)).isZero();
        assertThat(out.toString())
                .contains("'holdfast_lock' was missing", "all previous holders and waiters", "is current");
        assertThat(run("schema", "migrate", "--repair", "--store", store)).isZero();
        assertThat(out.toString()).contains("Nothing was missing");
        sql("drop table holdfast_event");
        assertThat(run("schema", "drop", "--yes", "--store", store)).isZero();
    }
}
