package dev.holdfast.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.DisplayName;

@DisplayName("tokens in a table, in PostgreSQL")
class FencedTablePostgresTest extends FencedTableCases {
    @Override
    Connection open() throws SQLException {
        return Postgres.connect(Postgres.newest().freshSchema());
    }

    @Override
    FenceDdl expected() {
        return FenceDdl.POSTGRESQL;
    }
}
