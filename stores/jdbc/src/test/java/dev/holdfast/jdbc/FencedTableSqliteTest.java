package dev.holdfast.jdbc;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("tokens in a table, in SQLite")
class FencedTableSqliteTest extends FencedTableCases {
    @TempDir
    Path directory;

    @Override
    Connection open() throws SQLException {
        return Locks.plain(directory.resolve("orders.db"));
    }

    @Override
    FenceDdl expected() {
        return FenceDdl.SQLITE;
    }
}
