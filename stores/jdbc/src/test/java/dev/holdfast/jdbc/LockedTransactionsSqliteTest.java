package dev.holdfast.jdbc;

import dev.holdfast.spi.RecordStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The locks are in a file of their own: in one file with the table, its one writer would keep the mistake waiting. */
@Execution(ExecutionMode.CONCURRENT)
@DisplayName("locks and transactions, in SQLite")
class LockedTransactionsSqliteTest extends TransactionCases {
    @TempDir
    Path directory;

    @Override
    RecordStore open() {
        return SqliteStore.open(directory.resolve("locks.db"), SqliteConfig.shared());
    }

    @Override
    Connection connect() throws SQLException {
        return Locks.plain(directory.resolve("app.db"));
    }
}
