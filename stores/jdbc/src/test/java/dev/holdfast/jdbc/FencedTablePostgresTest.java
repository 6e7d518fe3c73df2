package dev.holdfast.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.DisplayName;

@DisplayName("tokens in a table, in PostgreSQL")
class FencedTablePostgresTest extends FencedTableCases {
    @Override
    Connection open() throws SQLException {
        return PostgresStore.source(Postgres.newest().freshSchema(), PostgresConfig.DEFAULT)
                .getConnection();
    }

    @Override
    FenceDdl expected() {
        return FenceDdl.POSTGRESQL;
    }
}
