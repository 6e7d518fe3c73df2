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
            assertThat(rows("x-documents.db", "select uses from holdfast_content"))
                    .containsExactly("1");
            store.write(Change.put("b", Condition.none(), new byte[0], Map.of()));
            assertThat(rows("x-documents.db", "select uses from holdfast_content"))
                    .isEmpty();
        }
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
