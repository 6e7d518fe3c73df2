package dev.holdfast.jdbc.sqlite;

import static dev.holdfast.jdbc.Locks.held;
import static dev.holdfast.jdbc.Locks.key;
import static dev.holdfast.jdbc.Locks.put;
import static dev.holdfast.jdbc.Locks.query;
import static dev.holdfast.jdbc.Locks.read;
import static dev.holdfast.jdbc.Locks.sql;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.jdbc.Locks;
import dev.holdfast.jdbc.SqliteConfig;
import dev.holdfast.jdbc.SqliteProcess;
import dev.holdfast.jdbc.SqliteStore;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.testkit.Await;
import dev.holdfast.testkit.process.JavaProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("the tables of an SQLite file")
class SqliteSchemaTest {
    private static final String NAMES =
            "select name from sqlite_master where sql is not null" + " and name not like 'sqlite%' order by name";

    @TempDir
    Path directory;

    private Path file = Path.of("");

    @BeforeEach
    void newFile() {
        file = directory.resolve("locks.db");
    }

    private RecordStore open() {
        return SqliteStore.open(file, SqliteConfig.shared());
    }

    @Test
    @DisplayName("they are created on the first start, in a file with a write-ahead log")
    void createdOnFirstStart() throws SQLException {
        open().close();
        assertThat(query(file, NAMES))
                .containsExactly(
                        "database_lock",
                        "distributed_locks",
                        "holdfast_event",
                        "holdfast_fence",
                        "holdfast_lock",
                        "holdfast_lock_busy",
                        "holdfast_meta");
        assertThat(query(file, "pragma journal_mode")).containsExactly("wal");
        assertThat(query(file, "select value from holdfast_meta where key = 'schema'"))
                .containsExactly("1");
    }

    @Test
    @DisplayName("a second start changes nothing")
    void secondStartChangesNothing() throws SQLException {
        try (RecordStore store = open()) {
            put(store, held(key("a")));
        }
        List<String> before = query(file, "select * from sqlite_master");
        try (RecordStore store = open()) {
            assertThat(read(store, key("a")).holds()).hasSize(1);
        }
        assertThat(query(file, "select * from sqlite_master")).isEqualTo(before);
    }

    @Test
    @DisplayName("a start that has nothing to create does not wait for a writer")
    void startsWhileAnotherWrites() throws SQLException {
        open().close();
        try (Connection other = Locks.plain(file);
                Statement statement = other.createStatement()) {
            statement.execute("begin immediate");
            try (RecordStore store = open()) {
                assertThat(Await.get(store.read(key("a")))).isEmpty();
            }
        }
    }

    @Test
    @DisplayName("many threads that start at once all get to work")
    void manyThreadsStartAtOnce() {
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            String name = "lock-" + i;
            all.add(CompletableFuture.runAsync(() -> {
                try (RecordStore store = open()) {
                    put(store, held(key(name)));
                }
            }));
        }
        all.forEach(Await::get);
        try (RecordStore store = open()) {
            for (int i = 0; i < 8; i++) {
                assertThat(read(store, key("lock-" + i)).holds()).hasSize(1);
            }
        }
    }

    @Test
    @DisplayName("who looks while another creates the tables sees all of them or none, however often it happens")
    void looksWhileAnotherCreates() {
        for (int round = 0; round < 40; round++) {
            file = directory.resolve("round-" + round + ".db");
            List<CompletableFuture<Void>> all = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                all.add(CompletableFuture.runAsync(() -> open().close()));
            }
            all.forEach(Await::get);
        }
    }

    @Test
    @DisplayName("many processes that start at once all get to work")
    void manyProcessesStartAtOnce() throws IOException {
        List<String> written = new ArrayList<>();
        List<JavaProcess> all = new ArrayList<>();
        try {
            for (int i = 0; i < 4; i++) {
                all.add(SqliteProcess.start(file, "write"));
            }
            for (JavaProcess other : all) {
                assertThat(other.next()).isEqualTo("open");
                written.add(other.next());
                assertThat(written).last().asString().endsWith("-0");
            }
        } finally {
            all.forEach(JavaProcess::kill);
        }
        try (RecordStore store = open()) {
            for (String name : written) {
                assertThat(read(store, key(name)).holds()).hasSize(1);
            }
        }
    }

    @Test
    @DisplayName("an application's own tables are left as they are")
    void sharesTheFileOfAnApplication() throws SQLException {
        sql(file, "create table orders (id integer)", "insert into orders values (7)");
        open().close();
        assertThat(query(file, "select id from orders")).containsExactly("7");
    }

    @Test
    @DisplayName("a view is not created where a table or another view has its name")
    void viewsGiveWay() throws SQLException {
        sql(file, "create table Database_Lock (mine text)", "create view distributed_locks as select 'mine' as mine");
        try (RecordStore store = open()) {
            put(store, held(key("a")));
        }
        open().close();
        assertThat(query(file, "select mine from database_lock")).isEmpty();
        assertThat(query(file, "select * from distributed_locks")).containsExactly("mine");
    }

    @Test
    @DisplayName("a view that somebody dropped comes back with the next start")
    void viewsComeBack() throws SQLException {
        open().close();
        sql(file, "drop view database_lock");
        open().close();
        assertThat(query(file, "select * from database_lock")).isEmpty();
    }

    @Test
    @DisplayName("a file of a newer version is refused by name, and not touched")
    void newerVersion() throws SQLException, IOException {
        open().close();
        sql(file, "update holdfast_meta set value = '2' where key = 'schema'");
        assertRefusedUntouched("newer Holdfast", "version 2", "upgrade");
    }

    @Test
    @DisplayName("a table of ours with other columns is refused by name, and not touched")
    void foreignTable() throws SQLException, IOException {
        sql(file, "create table holdfast_lock (id integer, whatever text)");
        assertRefusedUntouched("'holdfast_lock'", "not Holdfast's", "another file");
    }

    @Test
    @DisplayName("all tables of ours, but none of them really ours, are refused by name, and not touched")
    void foreignTables() throws SQLException, IOException {
        sql(
                file,
                "create table holdfast_lock (id integer)",
                "create table holdfast_event (id integer)",
                "create table holdfast_fence (id integer)",
                "create table holdfast_meta (id integer)");
        assertRefusedUntouched("'holdfast_lock'", "not Holdfast's");
    }

    @Test
    @DisplayName("a part of our tables is refused: who dropped the rest must say what to do with it")
    void partOfOurTables() throws SQLException, IOException {
        open().close();
        sql(file, "drop table holdfast_lock");
        assertRefusedUntouched("only a part");
    }

    private void assertRefusedUntouched(String... said) throws IOException {
        byte[] before = Files.readAllBytes(file);
        assertThatExceptionOfType(StoreUnusableException.class)
                .isThrownBy(this::open)
                .withMessageContainingAll(file.toString())
                .withMessageContainingAll(said);
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
    }

    @Test
    @DisplayName("the printed statements make what a start makes, and the way down removes it all")
    void upAndDown() throws SQLException {
        open().close();
        List<String> made = query(file, NAMES);
        Path printed = directory.resolve("printed.db");
        sql(printed, statements(SqliteStore.schemaSql()));
        assertThat(query(printed, NAMES)).isEqualTo(made);

        sql(file, statements(SqliteStore.dropSql()));
        assertThat(query(file, NAMES)).isEmpty();
        try (RecordStore store = open()) {
            put(store, held(key("anew")));
        }
    }

    private static String[] statements(String text) {
        return Arrays.stream(text.split(";\\s*\\n", -1))
                .filter(statement -> !statement.isBlank())
                .toArray(String[]::new);
    }
}
