package dev.holdfast.jdbc;

import dev.holdfast.spi.RecordStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
@DisplayName("transactions that check their lease, in SQLite")
class FencedJdbcSqliteTest extends FenceCases {
    @TempDir
    Path directory;

    @Override
    RecordStore open() {
        return SqliteStore.open(directory.resolve("locks.db"), SqliteConfig.shared());
    }

    @Override
    Connection connect() throws SQLException {
        return Locks.plain(directory.resolve("locks.db"));
    }

    @Override
    Connection connectElsewhere() throws SQLException {
        return Locks.plain(directory.resolve("other.db"));
    }

    @Override
    boolean sideBySide() {
        return false;
    }
}
