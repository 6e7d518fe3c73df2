package dev.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.Stores;
import dev.holdfast.documents.Change;
import dev.holdfast.documents.Condition;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.DocumentStores;
import dev.holdfast.jdbc.sqlite.SqliteDocumentsPlaceTest;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.StoreUnusableException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The tables of documents on a database server. */
public abstract class DocumentTableCases {
    private static final int AT_ONCE = 6;

    public String url = "";

    public abstract String freshUrl();

    public abstract void sql(String statement) throws SQLException;

    public abstract List<String> query(String query) throws SQLException;

    @BeforeEach
    public void newPlace() {
        url = freshUrl();
    }

    @Test
    @DisplayName("are made by many who start at once, and each can use them")
    public void manyAtOnce() {
        List<CompletableFuture<Void>> starts = new ArrayList<>();
        for (int i = 0; i < AT_ONCE; i++) {
            String name = "by/" + i;
            starts.add(CompletableFuture.runAsync(() -> {
                try (DocumentStore store = DocumentStores.open(url)) {
                    SqliteDocumentsPlaceTest.write(store, name);
                }
            }));
        }
        starts.forEach(CompletableFuture::join);
        try (DocumentStore store = DocumentStores.open(url)) {
            for (int i = 0; i < AT_ONCE; i++) {
                assertThat(store.look("by/" + i)).isPresent();
            }
        }
    }

    @Test
    @DisplayName("have the same bytes once, for whichever documents, and not when none has them")
    public void contentOnce() throws SQLException {
        try (DocumentStore store = DocumentStores.open(url)) {
            SqliteDocumentsPlaceTest.write(store, "a", "b");
            SqliteDocumentsPlaceTest.write(store, "c", "a");
            assertThat(query("select uses, length(bytes) from holdfast_content"))
                    .containsExactly("3|10");
            store.write(List.of(Change.delete("a", Condition.none()), Change.delete("c", Condition.none())));
            assertThat(query("select uses from holdfast_content")).containsExactly("1");
            store.write(Change.put("b", Condition.none(), new byte[0], Map.of()));
            assertThat(query("select uses from holdfast_content")).isEmpty();
        }
    }

    @Test
    @DisplayName("are shown by schema print and go with schema drop, with the locks and without")
    public void schema() throws SQLException {
        try (RecordStore locks = Stores.open(url);
                DocumentStore store = DocumentStores.open(url)) {
            assertThat(locks).isNotNull();
            SqliteDocumentsPlaceTest.write(store, "a");
        }
        assertThat(SqlSchema.of(url).createSql()).contains("holdfast_lock", "holdfast_document", "holdfast_content");
        assertThat(SqlSchema.of(url).dropSql()).contains("holdfast_lock", "holdfast_document", "holdfast_content");
        SqlSchema.of(url).drop();
        assertThatExceptionOfType(SQLException.class).isThrownBy(() -> query("select * from holdfast_document"));
        assertThatExceptionOfType(SQLException.class).isThrownBy(() -> query("select * from holdfast_content"));
        SqlSchema.of(url).drop();
        try (DocumentStore store = DocumentStores.open(url)) {
            assertThat(store.look("a")).isEmpty();
        }
    }

    @Test
    @DisplayName("of another are refused and not touched, and nothing is made beside them")
    public void foreign() throws SQLException {
        sql("create table holdfast_content (mine int)");
        assertThatExceptionOfType(StoreUnusableException.class)
                .isThrownBy(() -> DocumentStores.open(url))
                .withMessageContaining("holdfast_content");
        assertThatExceptionOfType(SQLException.class).isThrownBy(() -> query("select * from holdfast_document"));
    }
}
