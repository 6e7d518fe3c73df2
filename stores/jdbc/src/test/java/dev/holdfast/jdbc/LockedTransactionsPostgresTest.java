package dev.holdfast.jdbc;

import dev.holdfast.spi.RecordStore;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
@DisplayName("locks and transactions, in PostgreSQL")
class LockedTransactionsPostgresTest extends TransactionCases {
    private final String url = Postgres.newest().freshSchema();

    @Override
    RecordStore open() {
        return PostgresStore.open(url, PostgresConfig.DEFAULT);
    }

    @Override
    Connection connect() throws SQLException {
        return Postgres.connect(url);
    }
}
