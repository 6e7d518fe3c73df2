package dev.holdfast.jdbc.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.Stores;
import dev.holdfast.documents.Change;
import dev.holdfast.documents.Condition;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.DocumentStores;
import dev.holdfast.jdbc.Locks;
import dev.holdfast.jdbc.SqlSchema;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.testkit.Await;
import dev.holdfast.testkit.documents.KilledWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("the SQLite file of documents")
public class SqliteDocumentsPlaceTest {
    private static final int MEGABYTE = 1 << 20;

    @TempDir
    Path directory;

    public static void write(DocumentStore store, String... names) {
        List<Change> changes = new ArrayList<>();
        for (String name : names) {
            changes.add(Change.put(name, Condition.none(), "same bytes".getBytes(StandardCharsets.UTF_8), Map.of()));
        }
        store.write(changes);
    }

    private List<String> rows(String file, String query) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve(file))) {
            return Locks.rows(connection, query);
        }
    }

    @Test
    @DisplayName("is one of its own beside that of the locks, which somebody may have for themselves")
    void besideTheLocks() {
        String url = "sqlite:" + directory.resolve("holdfast.db");
        try (RecordStore locks = Stores.open(url + "?mode=exclusive&label=test");
                DocumentStore documents = DocumentStores.open(url);
                DocumentStore exclusive = DocumentStores.open(url + "?mode=exclusive&label=test")) {
            write(documents, "a");
            assertThat(locks).isNotNull();
            assertThat(exclusive.look("a")).isPresent();
        }
        assertThat(directory.resolve("holdfast-documents.db")).exists();
        DocumentStores.open("sqlite:" + directory.resolve("plain")).close();
        assertThat(directory.resolve("plain-documents")).exists();
    }

    @Test
    @DisplayName(
            "is found through a link to the file of the locks, and refused without a file or with unknown parameters")
    void links() throws IOException {
        Path real = Files.createDirectory(directory.resolve("real"));
        try (RecordStore locks = Stores.open("sqlite:" + real.resolve("l.db"))) {
            assertThat(locks).isNotNull();
        }
        Files.createSymbolicLink(directory.resolve("link.db"), real.resolve("l.db"));
        DocumentStores.open("sqlite:" + directory.resolve("link.db")).close();
        assertThat(real.resolve("l-documents.db")).exists();
        for (String url :
                new String[] {"sqlite:", "sqlite::memory:", "sqlite:x.db?mode=other", "sqlite:x.db?cache=no"}) {
            assertThatIllegalArgumentException().isThrownBy(() -> DocumentStores.open(url));
        }
    }

    @Test
    @DisplayName("has the same bytes once, for whichever documents, and not when none has them")
    void contentOnce() throws SQLException {
        String url = "sqlite:" + directory.resolve("x.db");
        try (DocumentStore store = DocumentStores.open(url)) {
            write(store, "a", "b");
            write(store, "c", "a");
            assertThat(rows("x-documents.db", "select uses, length(bytes) from holdfast_content"))
                    .containsExactly("3|10");
            store.write(List.of(Change.delete("a", Condition.none()), Change.delete("c", Condition.none())));
            assertThat(rows("x-documents.db", "select uses >= 1 from holdfast_content"))
                    .containsExactly("1");
            assertThat(store.get("b").orElseThrow().content()).hasSize(10);
            store.write(Change.put("b", Condition.none(), new byte[0], Map.of()));
            assertThat(rows("x-documents.db", "select uses from holdfast_content"))
                    .isEmpty();
        }
    }

    @Test
    @DisplayName("of a version that counted uses is read, written and tidied, and that version finds what it needs")
    void olderVersion() throws SQLException {
        String url = "sqlite:" + directory.resolve("old.db");
        try (DocumentStore store = DocumentStores.open(url)) {
            write(store, "current", "history/1");
        }
        change("drop index holdfast_document_content"); // as that version made it
        try (DocumentStore store = DocumentStores.open(url)) {
            byte[] next = "other bytes".getBytes(StandardCharsets.UTF_8);
            store.write(List.of(
                    Change.put("current", Condition.none(), next, Map.of()),
                    Change.put("history/2", Condition.none(), next, Map.of())));
            assertThat(store.get("history/1").orElseThrow().content()).hasSize(10);
        }
        assertThat(rows("old-documents.db", "select name from sqlite_master where name = 'holdfast_document_content'"))
                .hasSize(1);
        // Never fewer uses than there are: or that version would take a content away from under a document.
        assertThat(
                        rows(
                                "old-documents.db",
                                "select uses >= (select count(*) from holdfast_document where content = id) from holdfast_content"))
                .containsExactly("1", "1");
        change("delete from holdfast_document where name = 'history/1'"); // what that version does to remove a document
        change("update holdfast_content set uses = uses - 1 where length(bytes) = 10");
        change("delete from holdfast_content where uses <= 0");
        try (DocumentStore store = DocumentStores.open(url)) {
            assertThat(rows("old-documents.db", "select length(bytes) from holdfast_content"))
                    .containsExactly("11");
            assertThat(store.get("current").orElseThrow().content()).hasSize(11);
        }
    }

    private void change(String statement) throws SQLException {
        try (Connection connection =
                        DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("old-documents.db"));
                var doing = connection.createStatement()) {
            doing.execute(statement);
        }
    }

    @Test
    @DisplayName("gets what is in its log soon, without a writer that waits, and the log does not grow on and on")
    void log() throws IOException {
        Path file = directory.resolve("log-documents.db");
        Path log = directory.resolve("log-documents.db-wal");
        try (DocumentStore store = DocumentStores.open("sqlite:" + directory.resolve("log.db"))) {
            writeMegabyte(store, 0);
            Await.until("it is copied", () -> file.toFile().length() > MEGABYTE);
            for (int i = 1; i <= 60; i++) {
                writeMegabyte(store, i);
                assertThat(Files.size(log)).isLessThan(45L * MEGABYTE); // SQLite copies at 33
            }
        }
        assertThat(log).doesNotExist(); // nobody has the file open
        assertThat(Files.size(file)).isGreaterThan(60L * MEGABYTE);
    }

    private static void writeMegabyte(DocumentStore store, int number) {
        byte[] content = new byte[MEGABYTE];
        content[0] = (byte) number;
        store.write(Change.put("a" + number, Condition.none(), content, Map.of()));
    }

    @Test
    @DisplayName("goes with schema drop, is shown by schema print, and is refused if its tables are another's")
    void schema() throws SQLException {
        String url = "sqlite:" + directory.resolve("y.db");
        try (RecordStore locks = Stores.open(url);
                DocumentStore store = DocumentStores.open(url)) {
            assertThat(locks).isNotNull();
            write(store, "a");
        }
        assertThat(SqlSchema.of("sqlite:").createSql())
                .contains("holdfast_lock", "holdfast_document", "holdfast_content");
        assertThat(SqlSchema.of("sqlite:").dropSql())
                .contains("holdfast_lock", "holdfast_document", "holdfast_content");
        SqlSchema.of(url).drop();
        assertThat(rows("y-documents.db", "select name from sqlite_master")).isEmpty();
        try (DocumentStore store = DocumentStores.open(url)) {
            assertThat(store.look("a")).isEmpty();
        }
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("z-documents.db"));
                var statement = connection.createStatement()) {
            statement.execute("create table holdfast_document (mine text)");
        }
        assertThatExceptionOfType(StoreUnusableException.class)
                .isThrownBy(() -> DocumentStores.open("sqlite:" + directory.resolve("z.db")))
                .withMessageContaining("holdfast_document");
        assertThat(rows("z-documents.db", "select name from sqlite_master")).containsExactly("holdfast_document");
    }

    @Test
    @DisplayName(
            "whose writer is killed, again and again, has every document whole and all that was told to be written")
    void killed() throws IOException {
        KilledWriter.run("sqlite:" + directory.resolve("killed.db"), 6);
    }
}
