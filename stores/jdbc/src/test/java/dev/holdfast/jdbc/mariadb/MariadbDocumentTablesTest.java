package dev.holdfast.jdbc.mariadb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.DocumentStores;
import dev.holdfast.jdbc.DocumentTableCases;
import dev.holdfast.jdbc.Mariadb;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("the tables of documents in MariaDB")
class MariadbDocumentTablesTest extends DocumentTableCases {
    private String database = "";

    @Override
    public String freshUrl() {
        database = Mariadb.server().freshDatabase();
        return Mariadb.server().url(database);
    }

    @Override
    public void sql(String statement) {
        Mariadb.server().sql(database, statement);
    }

    @Override
    public List<String> query(String query) throws SQLException {
        return Mariadb.query(database, query);
    }

    @Test
    @DisplayName("take what fits into a packet of the server, written out, and say so")
    void packet() throws SQLException {
        long packet = Long.parseLong(query("select @@global.max_allowed_packet").get(0));
        try (DocumentStore store = DocumentStores.open(url)) {
            assertThat(store.maxSize()).isBetween(packet / 3, packet / 2);
        }
    }
}
