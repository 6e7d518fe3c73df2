package dev.holdfast.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holder;
import dev.holdfast.LockClient;
import dev.holdfast.cli.Main;
import dev.holdfast.model.LockKey;
import dev.holdfast.testkit.servers.MariadbServer;
import dev.holdfast.testkit.servers.PostgresServer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tables of locks that applications have made themselves, on real servers; {@link OwnTableTest} has the refusals. */
@DisplayName("migrate --from-table")
@Timeout(180)
class OwnTableOnServersTest {
    private StringWriter out = new StringWriter();
    private StringWriter err = new StringWriter();

    @BeforeEach
    void canRunServers() {
        Assumptions.assumeTrue(
                System.getProperty("os.name").equals("Linux")
                        && System.getProperty("os.arch").equals("amd64"),
                "the servers of these tests are for Linux on amd64");
    }

    private int run(String... args) {
        out = new StringWriter();
        err = new StringWriter();
        return Main.commandLine(args)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(args);
    }

    @Test
    @DisplayName("adopts what is held in PostgreSQL, with times of either kind and a flag")
    void postgres() throws Exception {
        try (PostgresServer server = PostgresServer.builder()
                .quick()
                .with("timezone", "'Asia/Tokyo'")
                .start()) {
            String database = server.freshDatabase();
            server.sql(
                    database,
                    "create table database_lock (id serial primary key, lock_name text unique, process_id text,"
                            + " acquired_at timestamptz, expires_at timestamptz)",
                    "insert into database_lock (lock_name, process_id, acquired_at, expires_at) values"
                            + " ('nightly', '4711_web', now(), now() + interval '10 minutes'),"
                            + " ('over', '4712_web', now() - interval '1 hour', now() - interval '10 minutes')",
                    "create table app_locks (lock_name text, pod_id text, expires_at timestamp, is_active boolean)",
                    "insert into app_locks values"
                            + " ('sync', 'pod-1', (now() at time zone 'utc') + interval '10 minutes', true),"
                            + " ('idle', 'pod-2', (now() at time zone 'utc') + interval '10 minutes', false),"
                            + " ('gone', 'pod-3', (now() at time zone 'utc') - interval '1 minute', true)");
            adopts(server.url(database));
        }
    }

    @Test
    @DisplayName("adopts what is held in MariaDB, with times of either kind and a flag")
    void mariadb() throws Exception {
        try (MariadbServer server = MariadbServer.quick()) {
            server.sql("mysql", "set global time_zone = '+09:00'"); // times without a zone are UTC all the same
            String database = server.freshDatabase();
            server.sql(
                    database,
                    "create table database_lock (id bigint auto_increment primary key, lock_name varchar(200) unique,"
                            + " process_id varchar(200), acquired_at timestamp(6), expires_at timestamp(6) null)",
                    "insert into database_lock (lock_name, process_id, acquired_at, expires_at) values"
                            + " ('nightly', '4711_web', now(6), now(6) + interval 10 minute),"
                            + " ('over', '4712_web', now(6) - interval 1 hour, now(6) - interval 10 minute)",
                    "create table app_locks (lock_name text, pod_id text, expires_at datetime(6), is_active tinyint(1))",
                    "insert into app_locks values ('sync', 'pod-1', utc_timestamp(6) + interval 10 minute, 1),"
                            + " ('idle', 'pod-2', utc_timestamp(6) + interval 10 minute, 0),"
                            + " ('gone', 'pod-3', utc_timestamp(6) - interval 1 minute, 1)");
            adopts(server.url(database));
        }
    }

    private void adopts(String store) throws Exception {
        assertThat(run("migrate", "--from-table", store, "--to", store, "--dry-run"))
                .as("%s", err)
                .isZero();
        assertThat(out.toString()).contains("would adopt 'nightly' of '4711_web'", "nothing was written");
        assertThat(run("migrate", "--from-table", store, "--to", store))
                .as("%s", err)
                .isZero();
        assertThat(out.toString()).contains("1 held", "adopted 'nightly' of '4711_web'");
        assertThat(run("migrate", "--from-table", store + "#app_locks", "--to", store))
                .as("%s", err)
                .isZero();
        assertThat(out.toString()).contains("1 held", "adopted 'sync' of 'pod-1'");
        try (LockClient locks = LockClient.connect(store)) {
            isHeld(locks, "nightly", "4711_web", "database_lock");
            isHeld(locks, "sync", "pod-1", "app_locks");
            for (String free : List.of("over", "idle", "gone")) {
                assertThat(locks.inspect().get(LockKey.of("default", free)).holders())
                        .as(free)
                        .isEmpty();
            }
        }
        assertThat(run("migrate", "--from-table", store, "--to", store))
                .as("%s", err)
                .isZero();
        assertThat(out.toString()).contains("was adopted before");
    }

    private static void isHeld(LockClient locks, String lock, String owner, String table) throws Exception {
        List<Holder> holders = locks.inspect().get(LockKey.of("default", lock)).holders();
        assertThat(holders).singleElement().satisfies(holder -> {
            assertThat(holder.owner()).isEqualTo(owner);
            assertThat(holder.metadata()).containsEntry("adopted_from", table);
            assertThat(Duration.between(holder.grantedAt(), holder.expiresAt().orElseThrow()))
                    .isBetween(Duration.ofMinutes(9), Duration.ofMinutes(10));
        });
    }
}
