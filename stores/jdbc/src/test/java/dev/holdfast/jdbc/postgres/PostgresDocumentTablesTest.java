package dev.holdfast.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.DocumentStores;
import dev.holdfast.jdbc.DocumentTableCases;
import dev.holdfast.jdbc.Postgres;
import dev.holdfast.jdbc.sqlite.SqliteDocumentsPlaceTest;
import dev.holdfast.spi.OutcomeUnknownException;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("the tables of documents in PostgreSQL")
class PostgresDocumentTablesTest extends DocumentTableCases {
    @Override
    public String freshUrl() {
        return Postgres.newest().freshSchema();
    }

    @Override
    public void sql(String statement) throws SQLException {
        Postgres.sql(url, statement);
    }

    @Override
    public List<String> query(String query) throws SQLException {
        return Postgres.query(url, query);
    }

    @Test
    @DisplayName("a connection that ends in the commit leaves it open whether it happened, and the next write works")
    void lostInCommit() throws SQLException {
        try (DocumentStore store = DocumentStores.open(url)) {
            Postgres.sql(
                    url,
                    "create function die() returns trigger language plpgsql as"
                            + " $$ begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$",
                    "create constraint trigger die after insert on holdfast_document deferrable initially deferred"
                            + " for each row when (new.name = 'fatal') execute function die()");
            assertThatExceptionOfType(OutcomeUnknownException.class)
                    .isThrownBy(() -> SqliteDocumentsPlaceTest.write(store, "fatal"));
            SqliteDocumentsPlaceTest.write(store, "next");
            assertThat(store.look("next")).isPresent();
        }
    }

    @Test
    @DisplayName("a listing by leaf is served by its index")
    void leafIndex() throws SQLException {
        try (DocumentStore store = DocumentStores.open(url)) {
            SqliteDocumentsPlaceTest.write(store, "a/state.json");
        }
        List<String> plan = Postgres.query(
                url,
                "explain select name from holdfast_document where leaf = 'state.json' and name > 'a'"
                        + " order by name limit 10");
        assertThat(plan).anyMatch(line -> line.contains("holdfast_document_leaf"));
    }
}
