package dev.holdfast.jdbc.mariadb;

import static dev.holdfast.jdbc.Locks.held;
import static dev.holdfast.jdbc.Locks.key;
import static dev.holdfast.jdbc.Locks.put;
import static dev.holdfast.jdbc.Locks.read;
import static dev.holdfast.jdbc.Mariadb.query;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.jdbc.Mariadb;
import dev.holdfast.jdbc.MariadbConfig;
import dev.holdfast.jdbc.MariadbStore;
import dev.holdfast.jdbc.SqlSchema;
import dev.holdfast.jdbc.table.OwnTables;
import dev.holdfast.jdbc.table.SqlScript;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.testkit.Await;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("the tables of a MariaDB database")
class MariadbSchemaTest {
    private static final String NAMES = "select lower(table_name), table_type from information_schema.tables"
            + " where table_schema = database() order by 1";
    private static final String SHAPE = "select table_name, column_name, column_type, collation_name, is_nullable"
            + " from information_schema.columns where table_schema = database() order by table_name, ordinal_position";

    private String database = "";

    @BeforeEach
    void newDatabase() {
        database = Mariadb.server().freshDatabase();
    }

    private RecordStore open() {
        return MariadbStore.open(Mariadb.server().url(database), MariadbConfig.DEFAULT);
    }

    private void sql(String... statements) {
        Mariadb.server().sql(database, statements);
    }

    @Test
    @DisplayName("they are created on the first start, with the version written last")
    void createdOnFirstStart() throws SQLException {
        open().close();
        assertThat(query(database, NAMES))
                .containsExactly(
                        "database_lock|VIEW",
                        "distributed_locks|VIEW",
                        "holdfast_event|BASE TABLE",
                        "holdfast_fence|BASE TABLE",
                        "holdfast_lock|BASE TABLE",
                        "holdfast_meta|BASE TABLE");
        assertThat(query(database, "select name, value from holdfast_meta order by name"))
                .containsExactly("schema|1", "views|" + OwnTables.VIEWS);
    }

    @Test
    @DisplayName("twenty that start at once all get to work")
    void manyStartAtOnce() {
        ExecutorService threads = Executors.newFixedThreadPool(20);
        try {
            List<CompletableFuture<Void>> all = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                String name = "lock-" + i;
                all.add(CompletableFuture.runAsync(
                        () -> {
                            try (RecordStore store = open()) {
                                put(store, held(key(name)));
                            }
                        },
                        threads));
            }
            all.forEach(Await::get);
        } finally {
            threads.shutdownNow();
        }
        try (RecordStore store = open()) {
            for (int i = 0; i < 20; i++) {
                assertThat(read(store, key("lock-" + i)).holds()).hasSize(1);
            }
        }
    }

    @Test
    @DisplayName("a start that ended after some of the tables is completed by the next one")
    void crashInTheMiddle() throws SQLException {
        open().close();
        List<String> shape = query(database, SHAPE);
        for (String gone :
                List.of("drop table holdfast_meta", "drop table holdfast_meta, holdfast_fence, holdfast_event")) {
            sql(gone);
            open().close();
            assertThat(query(database, SHAPE)).isEqualTo(shape);
        }
        sql("delete from holdfast_meta");
        open().close();
        assertThat(query(database, "select value from holdfast_meta where name = 'schema'"))
                .containsExactly("1");
    }

    @Test
    @DisplayName("a view is not created where a table or another view has its name")
    void viewsGiveWay() throws SQLException {
        sql("create table database_lock (mine text)", "create view distributed_locks as select 'mine' as mine");
        try (RecordStore store = open()) {
            put(store, held(key("a")));
        }
        open().close();
        assertThat(query(database, "select mine from database_lock")).isEmpty();
        assertThat(query(database, "select * from distributed_locks")).containsExactly("mine");
    }

    @Test
    @DisplayName("a view that somebody dropped comes back with the next start")
    void viewsComeBack() throws SQLException {
        open().close();
        sql("drop view database_lock");
        open().close();
        assertThat(query(database, "select * from database_lock")).isEmpty();
    }

    @Test
    @DisplayName("a newer version is refused, and not touched")
    void newerVersion() throws SQLException {
        open().close();
        sql("update holdfast_meta set value = '2'", "drop view database_lock");
        assertRefusedUntouched("newer Holdfast", "version 2", "upgrade");
    }

    @Test
    @DisplayName("a table of ours with other columns is refused by name, and nothing is touched")
    void foreignTable() throws SQLException {
        sql("create table holdfast_event (id integer, whatever text)");
        assertRefusedUntouched("'holdfast_event'", "not Holdfast's", "another database");
    }

    @Test
    @DisplayName("a view with the name of a table of ours is refused, and nothing is touched")
    void foreignView() throws SQLException {
        sql("create view holdfast_lock as select 1 as one");
        assertRefusedUntouched("'holdfast_lock'", "not Holdfast's");
    }

    @Test
    @DisplayName("a part of our tables with a version is refused: who dropped the rest must say what to do with it")
    void partOfOurTables() throws SQLException {
        open().close();
        sql("drop table holdfast_lock");
        assertRefusedUntouched("only a part", "'holdfast_lock'");
    }

    private void assertRefusedUntouched(String... said) throws SQLException {
        List<String> before = query(database, SHAPE);
        assertThatExceptionOfType(StoreUnusableException.class)
                .isThrownBy(this::open)
                .withMessageContainingAll(said)
                .withMessageContaining(database);
        assertThat(query(database, SHAPE)).isEqualTo(before);
    }

    @Test
    @DisplayName("who may not create tables is told which rights are missing; who may not create views does without")
    void missingRights() throws SQLException {
        String user = "limited_" + database;
        String url = Mariadb.server().url(database).replace("root@", user + ":geheim@");
        sql("create user " + user + "@'127.0.0.1' identified by 'geheim'");
        sql("grant select, insert, update, delete on " + database + ".* to " + user + "@'127.0.0.1'");
        assertThatExceptionOfType(StoreUnusableException.class)
                .isThrownBy(() -> MariadbStore.open(url, MariadbConfig.DEFAULT))
                .withMessageContainingAll("lacks a right", "grant", "CREATE command denied");

        sql("grant create on " + database + ".* to " + user + "@'127.0.0.1'");
        try (RecordStore store = MariadbStore.open(url, MariadbConfig.DEFAULT)) {
            put(store, held(key("a")));
        }
        assertThat(query(database, NAMES)).noneMatch(name -> name.contains("VIEW"));

        sql("revoke create on " + database + ".* from " + user + "@'127.0.0.1'");
        try (RecordStore store = MariadbStore.open(url, MariadbConfig.DEFAULT)) {
            assertThat(read(store, key("a")).holds()).hasSize(1);
        }
    }

    @Test
    @DisplayName("who may make only one of the views makes that one, and the other is made by the next who may")
    void someViews() throws SQLException {
        String url = limited("create, create view, select, show view", "distributed_locks");
        MariadbStore.open(url, MariadbConfig.DEFAULT).close();
        assertThat(query(database, NAMES)).contains("distributed_locks|VIEW").doesNotContain("database_lock|VIEW");
        assertThat(query(database, "select lock_name from distributed_locks")).isEmpty();
        open().close();
        assertThat(query(database, NAMES)).contains("distributed_locks|VIEW", "database_lock|VIEW");
        assertThat(query(database, "select value from holdfast_meta where name = 'views'"))
                .containsExactly(Integer.toString(OwnTables.VIEWS));
    }

    @Test
    @DisplayName("our views are not taken for somebody else's by a user who may not see how they are made")
    void viewsOfUnknownText() throws SQLException {
        open().close();
        String url = limited("select", "distributed_locks");
        assertThat(SqlSchema.of(url).hiddenViews()).isEmpty();
        MariadbStore.open(url, MariadbConfig.DEFAULT).close();

        sql("drop view database_lock", "create view database_lock as select 1 as id, 'mine' as lock_name");
        assertThat(SqlSchema.of(url).hiddenViews()).containsExactly("database_lock");
    }

    /** A user who may use the tables and make them, and this much with one of the views. */
    private String limited(String rights, String view) {
        String user = "limited_" + database;
        sql(
                "create user " + user + "@'127.0.0.1' identified by 'geheim'",
                "grant create, select, insert, update, delete on " + database + ".* to " + user + "@'127.0.0.1'",
                "grant " + rights + " on " + database + "." + view + " to " + user + "@'127.0.0.1'");
        return Mariadb.server().url(database).replace("root@", user + ":geheim@");
    }

    @Test
    @DisplayName("the printed statements make what a start makes, and the way down removes it all")
    void upAndDown() throws SQLException {
        open().close();
        List<String> made = query(database, SHAPE);
        String printed = Mariadb.server().freshDatabase();
        Mariadb.server()
                .sql(printed, SqlScript.statements(MariadbStore.schemaSql()).toArray(String[]::new));
        assertThat(query(printed, SHAPE)).isEqualTo(made);

        sql(SqlScript.statements(MariadbStore.dropSql()).toArray(String[]::new));
        assertThat(query(database, NAMES)).isEmpty();
        try (RecordStore store = open()) {
            put(store, held(key("anew")));
        }
    }

    @Test
    @DisplayName("listing goes on after a key by the index, not from the first row")
    void listingIsServedByTheIndex() throws SQLException {
        open().close();
        sql("insert into holdfast_lock (namespace, name, stamp, fence, format, busy, body, past)"
                + " select 'default', seq, seq, 1, 1, 0, '{}', '' from seq_1_to_1000");
        assertThat(query(
                        database,
                        "explain select body from holdfast_lock where 1 = 1"
                                + " and (namespace > 'default' or (namespace = 'default' and name > '900'))"
                                + " order by namespace, name limit 5"))
                .singleElement()
                .asString()
                .contains("|range|", "PRIMARY")
                .doesNotContain("filesort");
    }
}
