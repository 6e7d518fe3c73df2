package dev.holdfast.jdbc.postgres;

import static dev.holdfast.jdbc.Locks.held;
import static dev.holdfast.jdbc.Locks.key;
import static dev.holdfast.jdbc.Locks.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.jdbc.Postgres;
import dev.holdfast.jdbc.PostgresConfig;
import dev.holdfast.jdbc.PostgresStore;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreUnusableException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("the tables in PostgreSQL")
class PostgresSchemaTest {
    private String url = "";

    @BeforeEach
    void schema() {
        url = Postgres.newest().freshSchema();
    }

    private RecordStore open() {
        return PostgresStore.open(url, PostgresConfig.DEFAULT);
    }

    private String tables() throws SQLException {
        return String.join(
                " ",
                Postgres.query(
                        url,
                        "select table_name from information_schema.tables where table_schema = current_schema()"
                                + " order by 1"));
    }

    @Test
    @DisplayName("are made on the first start, used on the next, and taken away by the way down")
    void upAndDown() throws SQLException {
        open().close();
        assertThat(tables())
                .isEqualTo(
                        "database_lock distributed_locks holdfast_event holdfast_fence holdfast_history holdfast_holder"
                                + " holdfast_lock holdfast_meta");
        try (RecordStore store = open()) {
            put(store, held(key("a")));
        }
        PostgresStore.drop(url, PostgresConfig.DEFAULT);
        assertThat(tables()).isEmpty();
        PostgresStore.drop(url, PostgresConfig.DEFAULT);
    }

    @Test
    @DisplayName("are made once when 50 start at the same moment")
    void manyAtOnce() throws Exception {
        ExecutorService starters = Executors.newFixedThreadPool(50);
        CountDownLatch ready = new CountDownLatch(50);
        List<Future<Boolean>> all = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            String name = "lock-" + i;
            Callable<Boolean> start = () -> {
                ready.countDown();
                ready.await();
                try (RecordStore store = open()) {
                    put(store, held(key(name)));
                    return true;
                }
            };
            all.add(starters.submit(start));
        }
        for (Future<Boolean> one : all) {
            assertThat(one.get()).isTrue();
        }
        starters.shutdown();
        assertThat(Postgres.query(url, "select count(*) from holdfast_lock")).containsExactly("50");
        assertThat(Postgres.query(url, "select value from holdfast_meta where key = 'schema'"))
                .containsExactly("1");
    }

    @Test
    @DisplayName("a user's own table or view of a view's name stays, at the start and on the way down")
    void ownViews() throws SQLException {
        Postgres.sql(
                url,
                "create table database_lock (mine int)",
                "insert into database_lock values (7)",
                "create view distributed_locks as select 8 as mine");
        try (RecordStore store = open()) {
            put(store, held(key("a")));
        }
        PostgresStore.drop(url, PostgresConfig.DEFAULT);
        assertThat(Postgres.query(url, "select mine from database_lock")).containsExactly("7");
        assertThat(Postgres.query(url, "select mine from distributed_locks")).containsExactly("8");
        assertThat(tables()).isEqualTo("database_lock distributed_locks");
    }

    @Test
    @DisplayName("a table of ours that is not ours is refused, and nothing is changed")
    void foreignTable() throws SQLException {
        Postgres.sql(url, "create table holdfast_lock (id int)");
        assertRefused("holdfast_lock", "not Holdfast's", "currentSchema");
        assertThat(tables()).isEqualTo("holdfast_lock");
        assertThatExceptionOfType(StoreUnusableException.class)
                .isThrownBy(() -> PostgresStore.drop(url, PostgresConfig.DEFAULT));
        assertThat(tables()).isEqualTo("holdfast_lock");
    }

    @Test
    @DisplayName("a foreign table with the name of the one that tells the version is recognised")
    void foreignMeta() throws SQLException {
        for (String table : List.of("holdfast_lock", "holdfast_event", "holdfast_fence", "holdfast_meta")) {
            Postgres.sql(url, "create table " + table + " (id int)");
        }
        assertRefused("not Holdfast's");
    }

    @Test
    @DisplayName("tables of a newer version are refused, naming what to upgrade")
    void newer() throws SQLException {
        open().close();
        Postgres.sql(url, "update holdfast_meta set value = '99' where key = 'schema'");
        assertRefused("newer Holdfast", "version 99", "upgrade this process");
        assertThat(Postgres.query(url, "select value from holdfast_meta where key = 'schema'"))
                .containsExactly("99");
    }

    @Test
    @DisplayName("a user who may not create tables is told what to grant; with the tables there, use is enough")
    void missingPermission() throws SQLException {
        String schema = url.substring(url.indexOf("currentSchema=") + 14);
        String role = "role_" + schema;
        Postgres.sql(url, "create role " + role + " login", "grant usage on schema " + schema + " to " + role);
        String limited = url.replace("postgres@", role + "@");
        assertThatExceptionOfType(StoreUnusableException.class)
                .isThrownBy(() -> PostgresStore.open(limited, PostgresConfig.DEFAULT))
                .withMessageContainingAll("grant", "schema print", schema);
        open().close();
        Postgres.sql(url, "grant select, insert, update, delete on all tables in schema " + schema + " to " + role);
        try (RecordStore store = PostgresStore.open(limited, PostgresConfig.DEFAULT)) {
            put(store, held(key("a")));
        }
    }

    @Test
    @DisplayName("a schema that is not there is named")
    void noSchema() {
        String nowhere = Postgres.newest().url("postgres") + "?currentSchema=nowhere";
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> PostgresStore.open(nowhere, PostgresConfig.DEFAULT))
                .withMessageContaining("currentSchema");
    }

    private void assertRefused(String... said) {
        assertThatExceptionOfType(StoreUnusableException.class)
                .isThrownBy(this::open)
                .withMessageContainingAll(said);
    }
}
