package dev.holdfast.jdbc;

import dev.holdfast.spi.RecordStore;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("lost tables in SQLite")
class SqliteLostTableTest extends LostTableCases {
    @TempDir
    Path directory;

    private Path file() {
        return directory.resolve("locks.db");
    }

    @Override
    RecordStore open() {
        return SqliteStore.open(file(), SqliteConfig.shared());
    }

    @Override
    SqlSchema schema() {
        return SqlSchema.of("sqlite:" + file());
    }

    @Override
    void sql(String statement) throws SQLException {
        Locks.sql(file(), statement);
    }

    @Override
    List<String> query(String sql) throws SQLException {
        return Locks.query(file(), sql);
    }

    @Override
    void lose(String table) throws SQLException {
        sql("drop table " + table);
    }

    @Override
    void makeOld() throws SQLException {
        sql("delete from holdfast_meta where key = 'views'");
    }
}
